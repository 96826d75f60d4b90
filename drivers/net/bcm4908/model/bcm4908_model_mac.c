/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/* UniMAC and receive FIFO [2.1, 2.2, 6, 10]. */

#include "bcm4908_model_priv.h"

#define ETH_HLEN 14u
#define ETH_FRAME_MIN 64u	/* with FCS */
#define ETH_LENGTH_MAX 1500u	/* a larger length/type is a type */
#define ETH_TYPE_VLAN 0x8100u
#define ETH_TYPE_PPP_SESSION 0x8864u
#define ETH_TYPE_CONTROL 0x8808u
#define CONTROL_OP_PAUSE 1u
#define PAUSE_QUANTUM_NS 512u	/* 512 bit times at 1 Gb/s */

static const uint8_t pause_da[6] = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x01 };

/* What the MAC knows of a frame from its bytes. */
struct frame_info {
	uint32_t wire_len;	/* with FCS */
	uint16_t type;		/* length/type, after a VLAN tag if there is one */
	uint16_t hlen;		/* bytes before the payload */
	bool multicast;
	bool broadcast;
	bool vlan;
	bool control;
	bool pause;
};

static inline uint16_t
be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static void
frame_parse(const uint8_t *data, uint32_t len, struct frame_info *fi)
{
	memset(fi, 0, sizeof(*fi));
	fi->wire_len = len + BCM4908_FCS_LEN;
	fi->hlen = ETH_HLEN;
	if (len < ETH_HLEN)
		return;
	if ((data[0] & 1) != 0) {
		fi->broadcast = (data[0] & data[1] & data[2] & data[3] & data[4] & data[5]) ==
				0xff;
		fi->multicast = !fi->broadcast;
	}
	fi->type = be16(data + 12);
	if (fi->type == ETH_TYPE_VLAN && len >= ETH_HLEN + 4) {
		fi->vlan = true;
		fi->type = be16(data + 16);
		fi->hlen += 4;
	} else if (fi->type == ETH_TYPE_CONTROL && len >= ETH_HLEN + 4) {
		fi->control = true;
		fi->pause = be16(data + 14) == CONTROL_OP_PAUSE;
	}
}

/* Size class of the MIB, -1: none. */
static inline int
mib_size_class(uint32_t wire_len)
{
	if (wire_len <= 1518) {
		if (wire_len <= 64)
			return wire_len == 64 ? 0 : -1;
		/* 65-127, 128-255, 256-511, 512-1023, 1024-1518 */
		return 26 - __builtin_clz(wire_len);
	}
	if (wire_len <= 2047)
		return wire_len <= 1522 ? 6 : 7;
	if (wire_len <= 4095)
		return 8;
	return wire_len <= 9216 ? 9 : -1;
}

/* --- receive FIFO --- */

static inline uint32_t
fifo_room(uint32_t data_len)
{
	return BCM4908_FIFO_UNIT + ((data_len + BCM4908_FCS_LEN + BCM4908_FIFO_UNIT - 1) &
				    ~(BCM4908_FIFO_UNIT - 1));
}

/* An empty FIFO takes any frame: it is emptied while the frame still arrives. */
static inline bool
fifo_fits(const struct bcm4908_fifo *fifo, uint32_t data_len)
{
	return fifo->used == 0 || fifo->used + fifo_room(data_len) <= fifo->size;
}

/* Take room that fifo_fits() found; the caller fills the entry in. */
static struct bcm4908_fifo_entry *
fifo_push(struct bcm4908_fifo *fifo, uint32_t data_len)
{
	uint32_t room = fifo_room(data_len);
	struct bcm4908_fifo_entry *entry;

	if (fifo->used == 0) {
		fifo->head = 0;
		fifo->tail = 0;
		fifo->end = 0;
	} else if (fifo->tail + room > sizeof(fifo->store)) {
		fifo->end = fifo->tail;
		fifo->tail = 0;
	}
	entry = (void *)&fifo->store[fifo->tail];
	fifo->tail += room;
	fifo->used += room;
	return entry;
}

const struct bcm4908_fifo_entry *
bcm4908_model_fifo_peek(const struct bcm4908_model *model)
{
	const struct bcm4908_fifo *fifo = &model->fifo;

	return fifo->used == 0 ? NULL : (const void *)&fifo->store[fifo->head];
}

void
bcm4908_model_fifo_pop(struct bcm4908_model *model)
{
	struct bcm4908_fifo *fifo = &model->fifo;
	uint32_t room = fifo_room(bcm4908_model_fifo_peek(model)->data_len);

	fifo->used -= room;
	fifo->head += room;
	if (fifo->end != 0 && fifo->head == fifo->end) {
		fifo->head = 0;
		fifo->end = 0;
	}
}

void
bcm4908_model_fifo_flush(struct bcm4908_model *model)
{
	struct bcm4908_model_chan *rx = &model->chan[BCM4908_CHAN_RX];

	model->fifo.used = 0;
	rx->in_frame = false;
	rx->done = 0;
}

/* --- receive --- */

static inline bool
mac_rx_on(const struct bcm4908_model *model)
{
	return (model->cmd & (BCM4908_CMD_RX_EN | BCM4908_CMD_SW_RESET)) == BCM4908_CMD_RX_EN;
}

static inline uint32_t
mac_rx_stored(const struct bcm4908_model *model, uint32_t len)
{
	return len < model->frame_max ? len : model->frame_max;
}

/* Is the length field of a frame that has one wrong? */
static bool
length_wrong(const struct frame_info *fi, uint32_t len)
{
	uint32_t min = ETH_FRAME_MIN - BCM4908_FCS_LEN - fi->hlen, want = fi->type;

	if (len < fi->hlen || fi->type > ETH_LENGTH_MAX)
		return false;
	if (want < min)
		want = min;
	return len - fi->hlen != want;
}

/* Count a received frame [6]. */
static void
mac_rx_count(struct bcm4908_model *model, const struct frame_info *fi, bool bad_fcs,
	     bool bad_length)
{
	uint32_t len = fi->wire_len;
	bool good = !bad_length && len <= model->frame_max;
	int size;

	if (model->mib_held)
		return;
	bcm4908_model_count(model, BCM4908_MIB_RX_PKTS, 1);
	bcm4908_model_count(model, BCM4908_MIB_RX_OCTETS, len);
	size = mib_size_class(len);
	if (size >= 0)
		bcm4908_model_count(model, BCM4908_MIB_RX_64 + size, 1);
	if (len < ETH_FRAME_MIN) {
		bcm4908_model_count(model, BCM4908_MIB_RX_RUNT, 1);
		bcm4908_model_count(model, BCM4908_MIB_RX_RUNT_OCTETS, len);
		bcm4908_model_count(model, bad_fcs ? BCM4908_MIB_RX_FRAGMENTS :
				    BCM4908_MIB_RX_UNDERSIZE, 1);
		return;
	}
	if (len > model->frame_max)
		bcm4908_model_count(model, BCM4908_MIB_RX_MTU_ERRS, 1);
	if (len > model->oversize)
		bcm4908_model_count(model, bad_fcs ? BCM4908_MIB_RX_JABBER :
				    BCM4908_MIB_RX_OVERSIZE, 1);
	else if (bad_fcs)
		bcm4908_model_count(model, BCM4908_MIB_RX_FCS_ERRS, 1);
	if (bad_fcs)
		return;
	if (bad_length)
		bcm4908_model_count(model, BCM4908_MIB_RX_EXCESS_SIZE, 1);
	if (fi->broadcast)
		bcm4908_model_count(model, BCM4908_MIB_RX_BROADCAST, 1);
	else if (fi->multicast)
		bcm4908_model_count(model, BCM4908_MIB_RX_MULTICAST, 1);
	else
		bcm4908_model_count(model, BCM4908_MIB_RX_UNICAST, 1);
	if (fi->control) {
		bcm4908_model_count(model, BCM4908_MIB_RX_CTRL, 1);
		bcm4908_model_count(model, fi->pause ? BCM4908_MIB_RX_PAUSE :
				    BCM4908_MIB_RX_UNKNOWN_OP, 1);
	}
	if (fi->type == ETH_TYPE_PPP_SESSION)
		bcm4908_model_count(model, BCM4908_MIB_RX_PPP, 1);
	if (good)
		bcm4908_model_count(model, BCM4908_MIB_RX_GOOD, 1);
}

static inline bool
mac_is_own(const struct bcm4908_model *model, const uint8_t *addr)
{
	return memcmp(addr, model->mac, sizeof(model->mac)) == 0;
}

static void
mac_rx_pause(struct bcm4908_model *model, const struct bcm4908_model_frame *frame)
{
	uint32_t quanta;

	if ((model->cmd & BCM4908_CMD_RX_PAUSE_IGNORE) != 0)
		return;
	if (memcmp(frame->data, pause_da, sizeof(pause_da)) != 0 &&
	    !mac_is_own(model, frame->data))
		return;
	quanta = be16(frame->data + 16);
	model->paused = quanta != 0;
	model->pause_end = model->env.now == NULL ? quanta :
			   model->env.now(model->env.ctx) + (uint64_t)quanta * PAUSE_QUANTUM_NS;
}

/* Does the MAC let this frame pass to memory? */
static bool
mac_rx_wanted(struct bcm4908_model *model, const struct bcm4908_model_frame *frame,
	      const struct frame_info *fi)
{
	uint32_t pass;

	if (frame->bad_fcs)
		return false;
	if (fi->wire_len < ETH_FRAME_MIN)
		return (model->cmd & BCM4908_CMD_RUNT_FILTER_DIS) != 0;
	if (fi->control) {
		if (fi->pause)
			mac_rx_pause(model, frame);
		pass = fi->pause ? BCM4908_CMD_PAUSE_FWD : BCM4908_CMD_CNTL_FRM_EN;
		if ((model->cmd & pass) == 0)
			return false;
	}
	return (model->cmd & BCM4908_CMD_PROMISC) != 0 || (frame->data[0] & 1) != 0 ||
	       mac_is_own(model, frame->data);
}

/* Status bits of the descriptor with their default meanings [3.4]. */
static uint32_t
mac_rx_status(const struct frame_info *fi, bool bad_length, bool truncated)
{
	uint32_t status = 0;

	if (bad_length)
		status |= BCM4908_DESC_RX_ERROR;
	if (fi->broadcast)
		status |= BCM4908_DESC_RX_BCAST;
	else if (fi->multicast)
		status |= BCM4908_DESC_RX_MCAST;
	else
		status |= BCM4908_DESC_RX_UCAST;
	if (fi->control)
		status |= BCM4908_DESC_RX_CTRL;
	if (fi->vlan)
		status |= BCM4908_DESC_RX_VLAN;
	if (truncated)
		status |= BCM4908_DESC_RX_TRUNC;
	if (fi->wire_len < ETH_FRAME_MIN)
		status |= BCM4908_DESC_RX_RUNT;
	return status;
}

static void
mac_rx_overflow(struct bcm4908_model *model)
{
	if (!model->mib_held)
		bcm4908_model_set(model, BCM4908_OVERFLOW_COUNTER,
				  bcm4908_model_get(model, BCM4908_OVERFLOW_COUNTER) + 1);
	bcm4908_model_set(model, BCM4908_IRQ_STATUS,
			  bcm4908_model_get(model, BCM4908_IRQ_STATUS) | BCM4908_IRQ_OVFL);
	bcm4908_model_irq_update(model);
}

/* Bytes of a frame that go to memory. */
static uint32_t
mac_rx_mem_len(const struct bcm4908_model *model, const struct frame_info *fi)
{
	uint32_t len = fi->wire_len < model->frame_max ? fi->wire_len : model->frame_max;
	bool pad_rem = (model->cmd & BCM4908_CMD_PAD_REM) != 0;

	if (pad_rem || (model->cmd & BCM4908_CMD_CRC_FWD) == 0)
		len = len < BCM4908_FCS_LEN ? 0 : len - BCM4908_FCS_LEN;
	if (pad_rem && fi->type <= ETH_LENGTH_MAX && len > (uint32_t)fi->hlen + fi->type)
		len = fi->hlen + fi->type;
	return len;
}

/* A frame enters the receiver, from the line or from the local loop. */
static void
mac_rx(struct bcm4908_model *model, const struct bcm4908_model_frame *frame)
{
	uint32_t data_len = mac_rx_stored(model, frame->len), mem_len;
	struct bcm4908_fifo_entry *entry;
	struct frame_info fi;
	bool bad_length, truncated;

	frame_parse(frame->data, frame->len, &fi);
	bad_length = (model->cmd & BCM4908_CMD_NO_LEN_CHK) == 0 &&
		     length_wrong(&fi, frame->len);
	mac_rx_count(model, &fi, frame->bad_fcs, bad_length);
	if (!mac_rx_wanted(model, frame, &fi))
		return;
	mem_len = mac_rx_mem_len(model, &fi);
	/* a flush that is held empties the FIFO as it is filled */
	if ((model->flush & BCM4908_FLUSH_RX_FIFO) != 0 || mem_len == 0)
		return;
	if (!fifo_fits(&model->fifo, data_len) ||
	    (model->fault != NULL && bcm4908_model_fault_overflow(model))) {
		mac_rx_overflow(model);
		return;
	}
	truncated = fi.wire_len > model->frame_max;
	entry = fifo_push(&model->fifo, data_len);
	entry->data_len = data_len;
	entry->mem_len = mem_len;
	entry->status = mac_rx_status(&fi, bad_length, truncated);
	entry->bad_fcs = truncated;
	bcm4908_model_copy((uint8_t *)(entry + 1), frame->data, data_len);
}

bool
bcm4908_model_rx_ready(const struct bcm4908_model *model, uint32_t len)
{
	return mac_rx_on(model) && (model->cmd & BCM4908_CMD_LCL_LOOP) == 0 &&
	       (model->flush & BCM4908_FLUSH_RX_FIFO) == 0 &&
	       fifo_fits(&model->fifo, mac_rx_stored(model, len));
}

void
bcm4908_model_line_rx(struct bcm4908_model *model, const struct bcm4908_model_frame *frame)
{
	if (!mac_rx_on(model) || (model->cmd & BCM4908_CMD_LCL_LOOP) != 0)
		return;
	mac_rx(model, frame);
}

/* --- transmit --- */

static void
mac_tx_count(struct bcm4908_model *model, const struct bcm4908_model_frame *frame)
{
	struct frame_info fi;
	uint32_t len;
	int size;

	if (model->mib_held)
		return;
	frame_parse(frame->data, frame->len, &fi);
	len = fi.wire_len;
	bcm4908_model_count(model, BCM4908_MIB_TX_PKTS, 1);
	bcm4908_model_count(model, BCM4908_MIB_TX_OCTETS, len);
	size = mib_size_class(len);
	if (size >= 0)
		bcm4908_model_count(model, BCM4908_MIB_TX_64 + size, 1);
	if (frame->bad_fcs) {
		bcm4908_model_count(model, len < ETH_FRAME_MIN ? BCM4908_MIB_TX_FRAGMENTS :
				    len > model->oversize ? BCM4908_MIB_TX_JABBER :
				    BCM4908_MIB_TX_FCS_ERRS, 1);
		return;
	}
	if (fi.broadcast)
		bcm4908_model_count(model, BCM4908_MIB_TX_BROADCAST, 1);
	else if (fi.multicast)
		bcm4908_model_count(model, BCM4908_MIB_TX_MULTICAST, 1);
	else
		bcm4908_model_count(model, BCM4908_MIB_TX_UNICAST, 1);
	if (fi.control) {
		bcm4908_model_count(model, BCM4908_MIB_TX_CTRL, 1);
		if (fi.pause)
			bcm4908_model_count(model, BCM4908_MIB_TX_PAUSE, 1);
	}
	if (len > model->oversize)
		bcm4908_model_count(model, BCM4908_MIB_TX_OVERSIZE, 1);
	if (len >= ETH_FRAME_MIN)
		bcm4908_model_count(model, BCM4908_MIB_TX_GOOD, 1);
}

static bool
mac_tx_frame(struct bcm4908_model *model, const struct bcm4908_model_frame *frame)
{
	if ((model->cmd & BCM4908_CMD_LCL_LOOP) != 0) {
		if (mac_rx_on(model)) {
			if (!fifo_fits(&model->fifo, mac_rx_stored(model, frame->len)))
				return false;
			mac_rx(model, frame);
		}
	} else if (!model->env.line_tx(model->env.ctx, frame)) {
		return false;
	}
	mac_tx_count(model, frame);
	return true;
}

/* The rare features that change a frame: work on a copy. */
static void
mac_tx_edit(struct bcm4908_model *model, struct bcm4908_model_frame *frame, bool append_crc)
{
	if (frame->data != model->tx_buf)
		memcpy(model->tx_buf, frame->data, frame->len);
	frame->data = model->tx_buf;
	if ((model->cmd & BCM4908_CMD_TX_ADDR_INS) != 0 && frame->len >= ETH_HLEN)
		memcpy(&model->tx_buf[6], model->mac, sizeof(model->mac));
	if (append_crc && frame->len < model->tx_min) {
		memset(&model->tx_buf[frame->len], 0, model->tx_min - frame->len);
		frame->len = model->tx_min;
	}
}

/* Send a frame of the transmit DMA; false: not now. */
bool
bcm4908_model_mac_tx(struct bcm4908_model *model, const uint8_t *data, uint32_t len,
		     bool append_crc)
{
	struct bcm4908_model_frame frame = { .data = data, .len = len };
	const uint8_t *fcs;

	/* a flush that is held empties the transmitter as it is filled */
	if ((model->flush & BCM4908_FLUSH_TX_FIFO) != 0 || model->umac_tx_flush)
		return true;
	if (len < model->tx_min || (model->cmd & BCM4908_CMD_TX_ADDR_INS) != 0)
		mac_tx_edit(model, &frame, append_crc);
	if (!append_crc) {
		/* the frame brings its FCS [7] */
		if (len <= BCM4908_FCS_LEN)
			return true;
		frame.len -= BCM4908_FCS_LEN;
		fcs = frame.data + frame.len;
		frame.bad_fcs = bcm4908_model_fcs(frame.data, frame.len) !=
				((uint32_t)fcs[0] | (uint32_t)fcs[1] << 8 |
				 (uint32_t)fcs[2] << 16 | (uint32_t)fcs[3] << 24);
	}
	return mac_tx_frame(model, &frame);
}

/* --- time --- */

static bool
mac_tx_on(const struct bcm4908_model *model)
{
	return (model->cmd & (BCM4908_CMD_TX_EN | BCM4908_CMD_SW_RESET)) == BCM4908_CMD_TX_EN;
}

/* Does the transmitter take frames from the DMA? */
bool
bcm4908_model_mac_tx_ready(const struct bcm4908_model *model)
{
	return mac_tx_on(model) && !model->paused && (model->cmd & BCM4908_CMD_RMT_LOOP) == 0;
}

void
bcm4908_model_mac_reset(struct bcm4908_model *model)
{
	model->paused = false;
}

static void
pause_step(struct bcm4908_model *model)
{
	if (!model->paused)
		return;
	if (model->env.now != NULL)
		model->paused = model->env.now(model->env.ctx) < model->pause_end;
	else if (model->pause_end-- == 0)
		model->paused = false;
}

static bool
flow_send_pause(struct bcm4908_model *model)
{
	uint32_t quanta = model->flow_off ? bcm4908_model_get(model, BCM4908_UMAC_PAUSE_QUANTA) : 0;
	uint8_t data[ETH_FRAME_MIN - BCM4908_FCS_LEN] = { 0 };
	struct bcm4908_model_frame frame = { .data = data, .len = sizeof(data) };

	memcpy(data, pause_da, sizeof(pause_da));
	memcpy(data + 6, model->mac, sizeof(model->mac));
	data[12] = ETH_TYPE_CONTROL >> 8;
	data[13] = ETH_TYPE_CONTROL & 0xff;
	data[15] = CONTROL_OP_PAUSE;
	data[16] = (uint8_t)(quanta >> 8);
	data[17] = (uint8_t)quanta;
	return mac_tx_frame(model, &frame);
}

/*
 * Flow control: too few receive buffers, below LO and until above HI, and the
 * peer is asked to pause [3.5]. PAUSE frames are not themselves held by PAUSE.
 */
static unsigned int
flow_step(struct bcm4908_model *model)
{
	bool on = (model->dma_ctrl & BCM4908_DMA_CTRL_FLOWC_CH1) != 0, off = false;
	uint32_t credit;

	if (on) {
		credit = bcm4908_model_get(model, BCM4908_DMA_FLOWC_ALLOC(0));
		off = credit < bcm4908_model_get(model, BCM4908_DMA_FLOWC_THRESH_LO(0)) ||
		      (model->flow_off &&
		       credit <= bcm4908_model_get(model, BCM4908_DMA_FLOWC_THRESH_HI(0)));
	}
	if (off != model->flow_off) {
		model->flow_off = off;
		model->flow_due = (model->cmd & BCM4908_CMD_TX_PAUSE_IGNORE) == 0;
	}
	if (!model->flow_due || !mac_tx_on(model) || !flow_send_pause(model))
		return 0;
	model->flow_due = false;
	return 1;
}

/*
 * The remote loop returns what waits in the FIFO; a frame that the receive DMA
 * had begun goes back whole.
 */
static unsigned int
remote_loop_step(struct bcm4908_model *model, unsigned int budget)
{
	const struct bcm4908_fifo_entry *entry;
	struct bcm4908_model_frame frame;
	unsigned int n;

	for (n = 0; n < budget; n++) {
		entry = bcm4908_model_fifo_peek(model);
		if (entry == NULL)
			break;
		frame.data = (const uint8_t *)(entry + 1);
		frame.len = entry->data_len;
		frame.bad_fcs = entry->bad_fcs;
		if (!model->env.line_tx(model->env.ctx, &frame))
			break;
		mac_tx_count(model, &frame);
		bcm4908_model_fifo_pop(model);
		model->chan[BCM4908_CHAN_RX].in_frame = false;
		model->chan[BCM4908_CHAN_RX].done = 0;
	}
	return n;
}

/* What the MAC does by itself. */
unsigned int
bcm4908_model_mac_step(struct bcm4908_model *model, unsigned int budget)
{
	unsigned int frames;

	pause_step(model);
	frames = flow_step(model);
	if ((model->cmd & BCM4908_CMD_RMT_LOOP) != 0 && mac_tx_on(model) && !model->paused)
		frames += remote_loop_step(model, budget);
	return frames;
}
