/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#ifndef BCM4908_MODEL_PRIV_H
#define BCM4908_MODEL_PRIV_H

#include <string.h>

#include "bcm4908_model.h"

/* The MIB block's rows in the order of [6]; the row times 4 is the offset. */
enum bcm4908_mib_row {
	BCM4908_MIB_RX_FCS_ERRS,
	BCM4908_MIB_RX_CTRL,
	BCM4908_MIB_RX_PAUSE,
	BCM4908_MIB_RX_UNKNOWN_OP,
	BCM4908_MIB_RX_ALIGN_ERRS,
	BCM4908_MIB_RX_EXCESS_SIZE,
	BCM4908_MIB_RX_SYMBOL_ERRS,
	BCM4908_MIB_RX_CARRIER_SENSE,
	BCM4908_MIB_RX_OVERSIZE,
	BCM4908_MIB_RX_JABBER,
	BCM4908_MIB_RX_MTU_ERRS,
	BCM4908_MIB_RX_RUNT,
	BCM4908_MIB_RX_UNDERSIZE,
	BCM4908_MIB_RX_FRAGMENTS,
	BCM4908_MIB_RX_RUNT_OCTETS,
	BCM4908_MIB_RX_MULTICAST,
	BCM4908_MIB_RX_BROADCAST,
	BCM4908_MIB_RX_64,		/* the first of ten size classes */
	BCM4908_MIB_RX_PKTS = BCM4908_MIB_RX_64 + 10,
	BCM4908_MIB_RX_OCTETS,
	BCM4908_MIB_RX_UNICAST,
	BCM4908_MIB_RX_GOOD,
	BCM4908_MIB_RX_PPP,
	BCM4908_MIB_RX_CRC_MATCH,
	BCM4908_MIB_TX_PAUSE,
	BCM4908_MIB_TX_JABBER,
	BCM4908_MIB_TX_FCS_ERRS,
	BCM4908_MIB_TX_CTRL,
	BCM4908_MIB_TX_OVERSIZE,
	BCM4908_MIB_TX_DEFERRED,
	BCM4908_MIB_TX_EXCESSIVE_DEFER,
	BCM4908_MIB_TX_SINGLE_COL,
	BCM4908_MIB_TX_MULTI_COL,
	BCM4908_MIB_TX_LATE_COL,
	BCM4908_MIB_TX_EXCESSIVE_COL,
	BCM4908_MIB_TX_FRAGMENTS,
	BCM4908_MIB_TX_TOTAL_COL,
	BCM4908_MIB_TX_MULTICAST,
	BCM4908_MIB_TX_BROADCAST,
	BCM4908_MIB_TX_64,		/* the first of ten size classes */
	BCM4908_MIB_TX_PKTS = BCM4908_MIB_TX_64 + 10,
	BCM4908_MIB_TX_OCTETS,
	BCM4908_MIB_TX_UNICAST,
	BCM4908_MIB_TX_GOOD,
	BCM4908_MIB_ROWS
};

_Static_assert(BCM4908_MIB_ROWS == BCM4908_MIB_COUNT, "rows of section 6");

/* The longest frame in the MAC: MAX_FRAME_LEN has 14 bits [2.2]. */
#define BCM4908_MODEL_FRAME_MAX 16384u
/*
 * The FIFO's store: entries are contiguous, so that one which would cross the
 * end starts again at 0; twice the largest depth always leaves room for that.
 */
#define BCM4908_MODEL_STORE_SIZE (2 * BCM4908_MODEL_FRAME_MAX + 64)

/* A frame in the receive FIFO; its bytes follow. */
struct bcm4908_fifo_entry {
	uint32_t data_len;	/* bytes of the frame that are stored, never its FCS */
	uint32_t mem_len;	/* bytes to write to memory: more means FCS bytes */
	uint32_t status;	/* descriptor status bits [3.4] */
	bool bad_fcs;		/* cut short: its FCS is lost */
	uint8_t pad[3];
};

/* Room in the FIFO: units of 16 bytes [2.1], one of them for the frame's status. */
#define BCM4908_FIFO_UNIT 16u

_Static_assert(sizeof(struct bcm4908_fifo_entry) == BCM4908_FIFO_UNIT, "entry head");

struct bcm4908_fifo {
	uint32_t head;		/* of the oldest entry in the store */
	uint32_t tail;		/* where the next one goes */
	uint32_t end;		/* of the entries before the turn, 0: no turn */
	uint32_t used;		/* room taken */
	uint32_t size;		/* room in all */
	_Alignas(BCM4908_FIFO_UNIT) uint8_t store[BCM4908_MODEL_STORE_SIZE];
};

struct bcm4908_model_chan {
	unsigned int id;
	enum bcm4908_model_space ring;
	bool enabled;		/* CFG.ENABLE */
	bool halting;		/* CFG.PKT_HALT while in a frame */
	bool held;		/* its bit of CHANNEL_RESET */
	bool armed;		/* the descriptor at index was seen owned */
	bool moved;		/* the state RAM is to be published */
	bool in_frame;		/* between SOP and EOP */
	bool drop;		/* tx: this frame is broken */
	uint32_t done;		/* bytes of the frame moved so far */
	uint32_t base;
	uint32_t index;
	uint32_t ctl;		/* the descriptor fetched last */
	uint32_t addr;
	uint32_t *line;		/* descriptors that are mapped in this step */
	uint32_t line_index;	/* of the first of them */
	uint32_t line_len;	/* how many */
	struct bcm4908_model_watch *watch; /* strict mode, else NULL */
	uint32_t events;	/* for INT_STAT at the end of the step */
};

struct bcm4908_model_faults;

struct bcm4908_model {
	struct bcm4908_model_shared *shared;
	struct bcm4908_model_faults *fault; /* NULL: none was ever set */
	struct bcm4908_model_env env;
	struct bcm4908_model_chan chan[BCM4908_CHANS];
	struct bcm4908_model_knobs knobs;
	bool line[BCM4908_IRQ_LINES];

	/* registers as the engines use them */
	uint32_t cmd;
	uint32_t frame_max;	/* MAX_FRAME_LEN */
	uint32_t oversize;	/* longer frames are oversize for the MIB */
	uint32_t tx_min;	/* TX_IPG_LEN.tx_min_pkt_len */
	uint32_t flush;
	uint32_t dma_ctrl;
	bool umac_tx_flush;
	bool mib_held;
	uint8_t mac[6];

	bool paused;		/* a PAUSE frame holds the transmitter */
	uint64_t pause_end;	/* in env.now's time, or steps left */
	bool flow_off;		/* flow control wants the peer to be silent */
	bool flow_due;		/* and the PAUSE frame that says so is not sent yet */

	struct bcm4908_fifo fifo;
	uint8_t tx_buf[BCM4908_MODEL_FRAME_MAX];
};

static inline uint32_t
bcm4908_model_get(const struct bcm4908_model *model, uint32_t reg)
{
	return __atomic_load_n(&model->shared->reg[reg / sizeof(uint32_t)], __ATOMIC_RELAXED);
}

static inline void
bcm4908_model_set(struct bcm4908_model *model, uint32_t reg, uint32_t val)
{
	__atomic_store_n(&model->shared->reg[reg / sizeof(uint32_t)], val, __ATOMIC_RELAXED);
}

static inline void
bcm4908_model_count(struct bcm4908_model *model, enum bcm4908_mib_row row, uint32_t n)
{
	uint32_t reg = BCM4908_MIB_BASE + 4 * row;

	/* one writer: no read-modify-write needed */
	bcm4908_model_set(model, reg, bcm4908_model_get(model, reg) + n);
}

/* Descriptor words are little-endian. */
static inline uint32_t
bcm4908_model_le32(uint32_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_bswap32(word);
#else
	return word;
#endif
}

void bcm4908_model_copy_any(uint8_t *dst, const uint8_t *src, uint32_t len);

/*
 * Copy frame bytes. Small frames are most of the work, and a memcpy() that the
 * compiler expands to a string instruction costs more than they do.
 */
static inline void
bcm4908_model_copy(uint8_t *dst, const uint8_t *src, uint32_t len)
{
	uint32_t at;

	if (len < 16 || len > 256) {
		bcm4908_model_copy_any(dst, src, len);
		return;
	}
	for (at = 0; at < len - 16; at += 16)
		memcpy(dst + at, src + at, 16);
	memcpy(dst + len - 16, src + len - 16, 16);
}

/* bcm4908_model.c */
void bcm4908_model_report(struct bcm4908_model *model, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));
void bcm4908_model_irq_update(struct bcm4908_model *model);
/* As power-on leaves it. */
void bcm4908_model_reset(struct bcm4908_model *model);
/* Without power: nothing moves, each register reads val. */
void bcm4908_model_off(struct bcm4908_model *model, uint32_t val);
/* Noise in every register that holds something. */
void bcm4908_model_garble(struct bcm4908_model *model, uint32_t seed);

/* bcm4908_model_dma.c */
void bcm4908_model_chan_write_cfg(struct bcm4908_model *model, struct bcm4908_model_chan *ch,
				  uint32_t val);
void bcm4908_model_chan_forget(struct bcm4908_model *model, struct bcm4908_model_chan *ch);
void bcm4908_model_chan_reset(struct bcm4908_model *model, struct bcm4908_model_chan *ch,
			      bool held);
unsigned int bcm4908_model_dma_step(struct bcm4908_model *model, unsigned int budget);

/* bcm4908_model_fault.c: what a model with faults asks; true: the fault is shown */
bool bcm4908_model_fault_step(struct bcm4908_model *model); /* false: nothing moves */
bool bcm4908_model_fault_off(const struct bcm4908_model *model);
bool bcm4908_model_fault_holds(struct bcm4908_model *model, struct bcm4908_model_chan *ch);
uint32_t bcm4908_model_fault_write_back(struct bcm4908_model *model,
					struct bcm4908_model_chan *ch, uint32_t ctl);
bool bcm4908_model_fault_kick(struct bcm4908_model *model, const struct bcm4908_model_chan *ch);
bool bcm4908_model_fault_bus(struct bcm4908_model *model, const struct bcm4908_model_chan *ch);
bool bcm4908_model_fault_ring(struct bcm4908_model *model, const struct bcm4908_model_chan *ch);
bool bcm4908_model_fault_halt(struct bcm4908_model *model);
bool bcm4908_model_fault_reset(struct bcm4908_model *model, const struct bcm4908_model_chan *ch);
bool bcm4908_model_fault_overflow(struct bcm4908_model *model);
void bcm4908_model_fault_events(struct bcm4908_model *model, struct bcm4908_model_chan *ch);
/* Memory that the faults bring along; NULL: none is there. */
void *bcm4908_model_fault_map(struct bcm4908_model *model, uint32_t bus, uint32_t len);

/* bcm4908_model_watch.c */
int bcm4908_model_watch_create(struct bcm4908_model_chan *ch);
void bcm4908_model_watch_forget(struct bcm4908_model_chan *ch);
void bcm4908_model_watch_scan(struct bcm4908_model *model, struct bcm4908_model_chan *ch);
void bcm4908_model_watch_done(struct bcm4908_model *model, struct bcm4908_model_chan *ch);

/* bcm4908_model_mac.c */
void bcm4908_model_mac_reset(struct bcm4908_model *model);
bool bcm4908_model_mac_tx_ready(const struct bcm4908_model *model);
bool bcm4908_model_mac_tx(struct bcm4908_model *model, const uint8_t *data, uint32_t len,
			  bool append_crc);
unsigned int bcm4908_model_mac_step(struct bcm4908_model *model, unsigned int budget);
void bcm4908_model_fifo_flush(struct bcm4908_model *model);
const struct bcm4908_fifo_entry *bcm4908_model_fifo_peek(const struct bcm4908_model *model);
void bcm4908_model_fifo_pop(struct bcm4908_model *model);

#endif /* BCM4908_MODEL_PRIV_H */
