/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_bus_vdev.h>
#include <rte_cpuflags.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_malloc.h>
#include <rte_string_fns.h>
#include <rte_vect.h>

#include "bcm4908_dev_model.h"
#include "model/bcm4908_model_priv.h"
#include "port.h"
#include "trap.h"

#define LINE_BYTES	(16u << 20)
#define LINE_FRAMES	32768u

#define PINNED_POOLS	8u

struct port_frame {
	uint32_t at;			/* in port_line.bytes */
	uint32_t len;
};

/* Allocated once, so that the line can be used where malloc() may not be. */
struct port_line {
	struct bcm4908_model_env env;	/* the device's own */
	uint8_t *bytes;
	struct port_frame *frames;
	uint32_t used;
	unsigned int nb;
	bool busy;
	bool overflow;
};

static void *
line_map(void *ctx, enum bcm4908_model_space space, uint32_t bus, uint32_t len, bool write)
{
	const struct port_line *line = ctx;

	return line->env.map(line->env.ctx, space, bus, len, write);
}

static void
line_report(void *ctx, const char *what)
{
	const struct port_line *line = ctx;

	line->env.report(line->env.ctx, what);
}

static void
line_irq(void *ctx, enum bcm4908_model_irq irq, bool level)
{
	const struct port_line *line = ctx;

	line->env.irq(line->env.ctx, irq, level);
}

static bool
line_tx(void *ctx, const struct bcm4908_model_frame *frame)
{
	struct port_line *line = ctx;

	if (line->busy)
		return false;
	if (line->nb == LINE_FRAMES || frame->len > LINE_BYTES - line->used) {
		line->overflow = true;
		return true;
	}
	line->frames[line->nb++] = (struct port_frame){ .at = line->used, .len = frame->len };
	memcpy(line->bytes + line->used, frame->data, frame->len);
	line->used += frame->len;
	return true;
}

static int
line_take(struct port *p)
{
	struct port_line *line = calloc(1, sizeof(*line));

	CHECK(line != NULL);
	p->line = line;
	line->bytes = malloc(LINE_BYTES);
	line->frames = malloc(LINE_FRAMES * sizeof(*line->frames));
	CHECK(line->bytes != NULL && line->frames != NULL);
	line->env = p->model->env;
	p->model->env.ctx = line;
	p->model->env.map = line_map;
	p->model->env.irq = line_irq;
	if (line->env.report != NULL)
		p->model->env.report = line_report;
	p->model->env.line_tx = line_tx;
	return 0;
}

static void
line_free(struct port_line *line)
{
	if (line == NULL)
		return;
	free(line->bytes);
	free(line->frames);
	free(line);
}

int
port_setup_queues(struct port *p)
{
	const struct port_config *cfg = &p->cfg;
	const struct rte_eth_rxconf rxconf = { .rx_free_thresh = cfg->rx_free_thresh };
	const struct rte_eth_txconf txconf = { .tx_free_thresh = cfg->tx_free_thresh };

	if (cfg->rx_desc != PORT_NO_QUEUE)
		CHECK_EQ(rte_eth_rx_queue_setup(p->id, 0, cfg->rx_desc, SOCKET_ID_ANY, &rxconf,
						p->pool), 0);
	if (cfg->tx_desc != PORT_NO_QUEUE)
		CHECK_EQ(rte_eth_tx_queue_setup(p->id, 0, cfg->tx_desc, SOCKET_ID_ANY, &txconf), 0);
	return 0;
}

static int
port_make_pool(struct port *p)
{
	const struct port_config *cfg = &p->cfg;
	unsigned int n = cfg->pool_size;

	p->pool = cfg->pool;
	if (p->pool != NULL)
		return 0;
	if (n == 0)
		n = (cfg->rx_desc == PORT_NO_QUEUE ? 0 : 2 * cfg->rx_desc) + 1024;
	if (cfg->rx != NULL && cfg->rx->pinned)
		p->pool = pool_make_pinned(n, cfg->data_room, cfg->data_room);
	else
		p->pool = pool_make(n, cfg->priv_size, cfg->data_room);
	CHECK(p->pool != NULL);
	return 0;
}

/* The thread sanitizer does not know that a vector is loaded and stored by words. */
static bool
has_avx2(void)
{
#if defined(RTE_ARCH_X86_64) && !defined(__SANITIZE_THREAD__)
	return rte_cpu_get_flag_enabled(RTE_CPUFLAG_AVX2) > 0;
#else
	return false;
#endif
}

/* What the burst variants ask of the port. */
static int
port_apply_variants(struct port *p)
{
	const struct port_variant *rx = p->cfg.rx, *tx = p->cfg.tx;
	const bool scalar = !has_avx2() || (rx != NULL && rx->scalar) ||
		(tx != NULL && tx->scalar);

	if (rx != NULL)
		p->cfg.conf.rxmode.offloads |= rx->offloads;
	if (tx != NULL)
		p->cfg.conf.txmode.offloads |= tx->offloads;
	CHECK_EQ(rte_vect_set_max_simd_bitwidth(scalar ? RTE_VECT_SIMD_DISABLED :
						RTE_VECT_SIMD_256), 0);
	return 0;
}

/* Whatever stages in software go around it, is a burst the one of a name? */
static int
burst_check(struct rte_eth_burst_mode *mode, const char *name)
{
	char *stages = strstr(mode->info, ", software ");

	if (stages != NULL)
		*stages = '\0';
	CHECK(strcmp(mode->info, name) == 0, "%s, not %s", mode->info, name);
	return 0;
}

/* Does the port use the functions that the test is about? */
static int
port_check_variants(const struct port *p)
{
	struct rte_eth_burst_mode mode;

	if (p->cfg.rx != NULL && p->cfg.rx_desc != PORT_NO_QUEUE) {
		CHECK_EQ(rte_eth_rx_burst_mode_get(p->id, 0, &mode), 0);
		CHECK_OK(burst_check(&mode, p->cfg.rx->name));
	}
	if (p->cfg.tx != NULL && p->cfg.tx_desc != PORT_NO_QUEUE) {
		CHECK_EQ(rte_eth_tx_burst_mode_get(p->id, 0, &mode), 0);
		CHECK_OK(burst_check(&mode, p->cfg.tx->name));
	}
	return 0;
}

/* Later arguments win. The station address is the one of frame_fill()'s frames. */
static void
port_args(const struct port_config *cfg, char *args, size_t size)
{
	const char * const more[] = {
		cfg->rx == NULL ? NULL : cfg->rx->args,
		cfg->tx == NULL ? NULL : cfg->tx->args,
		cfg->args,
	};

	rte_strscpy(args, "stepping=manual,mac=02:00:00:00:00:01", size);
	for (unsigned int i = 0; i < RTE_DIM(more); i++) {
		if (more[i] == NULL)
			continue;
		strncat(args, ",", size - strlen(args) - 1);
		strncat(args, more[i], size - strlen(args) - 1);
	}
}

int
port_open(struct port *p, const struct port_config *cfg)
{
	static unsigned int opened;
	char args[256];

	*p = (struct port){ .cfg = *cfg };
	if (p->cfg.rx_desc == 0)
		p->cfg.rx_desc = 64;
	if (p->cfg.tx_desc == 0)
		p->cfg.tx_desc = 64;
	if (p->cfg.data_room == 0)
		p->cfg.data_room = RTE_MBUF_DEFAULT_BUF_SIZE;
	CHECK_OK(port_make_pool(p));

	snprintf(p->name, sizeof(p->name), "net_bcm4908_t%u", opened++);
	port_args(cfg, args, sizeof(args));
	CHECK_OK(port_apply_variants(p));
	CHECK_EQ(rte_vdev_init(p->name, args), 0);
	CHECK_EQ(rte_eth_dev_get_port_by_name(p->name, &p->id), 0);
	p->eth_dev = &rte_eth_devices[p->id];
	p->dev = bcm4908_dev(p->eth_dev);
	p->model = bcm4908_dev_model_of(p->dev);
	if (!cfg->own_line)
		CHECK_OK(line_take(p));

	CHECK_EQ(rte_eth_dev_configure(p->id, p->cfg.rx_desc == PORT_NO_QUEUE ? 0 : 1,
				       p->cfg.tx_desc == PORT_NO_QUEUE ? 0 : 1, &p->cfg.conf), 0);
	if (cfg->mtu != 0)
		CHECK_EQ(rte_eth_dev_set_mtu(p->id, cfg->mtu), 0);
	if (cfg->unset)
		return 0;
	CHECK_OK(port_setup_queues(p));
	if (cfg->stopped)
		return 0;
	CHECK_EQ(rte_eth_dev_start(p->id), 0);
	return port_check_variants(p);
}

int
port_forget(struct port *p)
{
	line_free(p->line);
	p->line = NULL;
	return p->cfg.pool == NULL ? pool_free_full(p->pool) : 0;
}

int
port_close(struct port *p)
{
	unsigned int reports;
	bool overflow = false;

	CHECK_EQ(rte_eth_dev_stop(p->id), 0);
	reports = bcm4908_dev_model_reports(p->dev);
	if (p->line != NULL)
		overflow = p->line->overflow;
	CHECK_EQ(rte_vdev_uninit(p->name), 0);
	CHECK_OK(port_forget(p));
	CHECK(!overflow, "more frames on the line than the test can keep");
	CHECK(p->lies || reports == 0, "strict mode reported %u times", reports);
	test_forgive(reports);
	return 0;
}

unsigned int
port_step(struct port *p, unsigned int n)
{
	return p->dev->ops->step(p->dev, n);
}

void
port_run(struct port *p)
{
	/* an idle step lets it meet the end of a ring, one more a kick that came meanwhile */
	for (unsigned int idle = 0; idle < 2; )
		idle = port_step(p, 64) == 0 ? idle + 1 : 0;
}

uint32_t
port_reg(const struct port *p, uint32_t reg)
{
	return bcm4908_read(p->dev, reg);
}

bool
port_chan_idle(const struct port *p, unsigned int chan)
{
	return (port_reg(p, BCM4908_CHAN_CFG(chan)) & BCM4908_CHAN_CFG_ENABLE) == 0;
}

uint64_t
port_xstat(const struct port *p, const char *name)
{
	uint64_t id, value;

	if (rte_eth_xstats_get_id_by_name(p->id, name, &id) != 0 ||
	    rte_eth_xstats_get_by_id(p->id, &id, &value, 1) != 1)
		return UINT64_MAX;
	return value;
}

void
port_poke(struct port *p, uint32_t reg, uint32_t val)
{
	bcm4908_model_set(p->model, reg, val);
}

static struct port_spy *the_spy;

static uint32_t
spy_read(const struct bcm4908_dev *dev, uint32_t reg)
{
	uint32_t val = the_spy->ops->read(dev, reg);

	the_spy->reads++;
	the_spy->read[reg / sizeof(uint32_t)]++;
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		if (the_spy->stuck[chan] && reg == BCM4908_CHAN_CFG(chan))
			val |= BCM4908_CHAN_CFG_ENABLE;
	return val;
}

static void
spy_write(struct bcm4908_dev *dev, uint32_t reg, uint32_t val)
{
	the_spy->writes++;
	the_spy->ops->write(dev, reg, val);
}

void
port_spy_on(struct port *p, struct port_spy *spy)
{
	static struct bcm4908_dev_ops ops;

	if (spy == NULL) {
		p->dev->ops = the_spy->ops;
		return;
	}
	*spy = (struct port_spy){ .ops = p->dev->ops };
	the_spy = spy;
	ops = *spy->ops;
	ops.read = spy_read;
	ops.write = spy_write;
	p->dev->ops = &ops;
}

bool
port_take_kick(struct port *p, unsigned int chan)
{
	return __atomic_exchange_n(&p->model->shared->doorbell[chan].word, 0,
				   __ATOMIC_ACQUIRE) != 0;
}

bool
port_push(struct port *p, const uint8_t *data, uint32_t len)
{
	const struct bcm4908_model_frame frame = { .data = data, .len = len };

	if (!bcm4908_model_rx_ready(p->model, len))
		port_step(p, 64);
	if (!bcm4908_model_rx_ready(p->model, len))
		return false;
	bcm4908_model_line_rx(p->model, &frame);
	return true;
}

unsigned int
port_sent(const struct port *p)
{
	return p->line->nb;
}

const uint8_t *
port_sent_data(const struct port *p, unsigned int i, uint32_t *len)
{
	*len = p->line->frames[i].len;
	return p->line->bytes + p->line->frames[i].at;
}

void
port_line_clear(struct port *p)
{
	p->line->used = 0;
	p->line->nb = 0;
}

void
port_line_busy(struct port *p, bool busy)
{
	p->line->busy = busy;
}

/* From 02:00:00:00:00:02 to 02:00:00:00:00:01, an experimental type, noise. */
static uint8_t
frame_byte(uint32_t i, uint32_t len, uint32_t seed)
{
	static const uint8_t head[] = {
		0x02, 0, 0, 0, 0, 0x01, 0x02, 0, 0, 0, 0, 0x02, 0x88, 0xb5,
	};
	uint32_t x;

	if (i < sizeof(head))
		return head[i];
	x = (seed * 2654435761u + len) ^ (i * 2246822519u);
	x ^= x >> 15;
	x *= 3266489917u;
	return x >> 24;
}

void
frame_fill(uint8_t *data, uint32_t len, uint32_t seed)
{
	for (uint32_t i = 0; i < len; i++)
		data[i] = frame_byte(i, len, seed);
}

bool
port_push_frame(struct port *p, uint32_t len, uint32_t seed)
{
	uint8_t data[BCM4908_FRAME_LEN_MAX + 64];

	frame_fill(data, len, seed);
	return port_push(p, data, len);
}

static int
bytes_check(const uint8_t *data, uint32_t from, uint32_t n, uint32_t len, uint32_t seed)
{
	for (uint32_t i = 0; i < n; i++)
		CHECK(data[i] == frame_byte(from + i, len, seed),
		      "byte %u of the frame %u of %u bytes is %#x, not %#x", from + i, seed, len,
		      data[i], frame_byte(from + i, len, seed));
	return 0;
}

int
frame_check(const uint8_t *data, uint32_t got_len, uint32_t len, uint32_t seed)
{
	CHECK_EQ(got_len, len);
	return bytes_check(data, 0, len, len, seed);
}

int
port_check_sent(const struct port *p, unsigned int i, uint32_t len, uint32_t seed)
{
	const uint8_t *data;
	uint32_t got;

	CHECK(i < port_sent(p), "frame %u of %u on the line", i, port_sent(p));
	data = port_sent_data(p, i, &got);
	return frame_check(data, got, len, seed);
}

int
mbuf_check_bytes(const struct rte_mbuf *m, uint32_t len, uint32_t seed)
{
	uint32_t at = 0;

	CHECK_EQ(m->pkt_len, len);
	for (; m != NULL; m = m->next) {
		CHECK(at + m->data_len <= len);
		CHECK_OK(bytes_check(rte_pktmbuf_mtod(m, const uint8_t *), at, m->data_len, len,
				     seed));
		at += m->data_len;
	}
	CHECK_EQ(at, len);
	return 0;
}

static bool
pool_is_pinned(struct rte_mempool *mp)
{
	return (rte_pktmbuf_priv_flags(mp) & RTE_PKTMBUF_POOL_F_PINNED_EXT_BUF) != 0;
}

int
mbuf_check(const struct port *p, const struct rte_mbuf *m, uint32_t len, uint32_t seed)
{
	CHECK_EQ(m->port, p->id);
	CHECK_EQ(m->pkt_len, len);
	CHECK_EQ(m->data_len, len);
	CHECK_EQ(m->nb_segs, 1);
	CHECK(m->next == NULL);
	CHECK_EQ(m->ol_flags, pool_is_pinned(p->pool) ? RTE_MBUF_F_EXTERNAL : 0);
	CHECK_EQ(m->packet_type, 0);
	CHECK_EQ(m->vlan_tci, 0);
	CHECK_EQ(rte_mbuf_refcnt_read(m), 1);
	CHECK(m->pool == p->pool);
	CHECK(m->data_off >= RTE_PKTMBUF_HEADROOM && m->data_off < RTE_PKTMBUF_HEADROOM + 64,
	      "data_off %u", m->data_off);
	CHECK((uint32_t)m->data_off + m->data_len <= m->buf_len);
	CHECK_EQ(rte_pktmbuf_mtod(m, uintptr_t) % BCM4908_BUF_ALIGN, 0);
	return mbuf_check_bytes(m, len, seed);
}

struct rte_mbuf *
mbuf_frame(struct rte_mempool *mp, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m = rte_pktmbuf_alloc(mp);
	char *data = m == NULL ? NULL : rte_pktmbuf_append(m, len);

	if (data == NULL) {
		printf("no mbuf for a frame of %u bytes\n", len);
		rte_pktmbuf_free(m);
		return NULL;
	}
	frame_fill((uint8_t *)data, len, seed);
	return m;
}

struct rte_mbuf *
mbuf_chain(struct rte_mempool *mp, const uint16_t *lens, uint32_t seed)
{
	struct rte_mbuf *first = NULL, *last = NULL, *m;
	uint32_t len = 0, at = 0;

	for (const uint16_t *l = lens; *l != 0; l++)
		len += *l;
	for (; *lens != 0; lens++) {
		m = rte_pktmbuf_alloc(mp);
		if (m == NULL || rte_pktmbuf_append(m, *lens) == NULL) {
			printf("no mbuf for a segment of %u bytes\n", *lens);
			rte_pktmbuf_free(m);
			rte_pktmbuf_free(first);
			return NULL;
		}
		for (uint32_t i = 0; i < *lens; i++)
			*rte_pktmbuf_mtod_offset(m, uint8_t *, i) = frame_byte(at++, len, seed);
		if (first == NULL) {
			first = m;
		} else {
			last->next = m;
			first->nb_segs++;
		}
		last = m;
	}
	first->pkt_len = len;
	return first;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/*
 * Mempool operations of the default kind that ask each device whether it owns
 * what is freed. With the sanitizer, poisoned pools do that.
 */
#define POOL_OPS "bcm4908_strict"

static const struct rte_mempool_ops *
ring_ops(void)
{
	for (uint32_t i = 0; i < rte_mempool_ops_table.num_ops; i++)
		if (strcmp(rte_mempool_ops_table.ops[i].name, "ring_mp_mc") == 0)
			return &rte_mempool_ops_table.ops[i];
	return NULL;
}

/* Is this a port of the driver's, with a model in this process? */
static bool
has_model(const struct rte_eth_dev *eth_dev)
{
	return eth_dev->state != RTE_ETH_DEV_UNUSED && eth_dev->data != NULL &&
		strncmp(eth_dev->data->name, "net_bcm4908", 11) == 0 &&
		eth_dev->process_private != NULL;
}

static int
strict_enqueue(struct rte_mempool *mp, void * const *objs, unsigned int n)
{
	for (uint16_t id = 0; id < RTE_MAX_ETHPORTS && !trap_is_on(); id++) {
		const struct rte_eth_dev *eth_dev = &rte_eth_devices[id];

		for (unsigned int i = 0; has_model(eth_dev) && i < n; i++)
			bcm4908_dev_model_check_free(bcm4908_dev(eth_dev),
				RTE_PTR_ADD(objs[i], sizeof(struct rte_mbuf)),
				mp->elt_size - sizeof(struct rte_mbuf));
	}
	return ring_ops()->enqueue(mp, objs, n);
}

static int
strict_dequeue(struct rte_mempool *mp, void **objs, unsigned int n)
{
	return ring_ops()->dequeue(mp, objs, n);
}

static unsigned int
strict_get_count(const struct rte_mempool *mp)
{
	return ring_ops()->get_count(mp);
}

static int
strict_alloc(struct rte_mempool *mp)
{
	return ring_ops() == NULL ? -ENOTSUP : ring_ops()->alloc(mp);
}

static void
strict_free(struct rte_mempool *mp)
{
	ring_ops()->free(mp);
}

static const struct rte_mempool_ops ops_strict = {
	.name = POOL_OPS,
	.alloc = strict_alloc,
	.free = strict_free,
	.enqueue = strict_enqueue,
	.dequeue = strict_dequeue,
	.get_count = strict_get_count,
};

RTE_MEMPOOL_REGISTER_OPS(ops_strict);
#else
#define POOL_OPS NULL
#endif

static void
pool_name(char *name)
{
	static unsigned int made;

	snprintf(name, RTE_MEMPOOL_NAMESIZE, "test_pool_%u", made++);
}

int
port_send_check(struct port *p, struct rte_mempool *mp, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m = mbuf_frame(mp, len, seed);

	CHECK(m != NULL);
	port_line_clear(p);
	CHECK_EQ(port_tx(p, &m, 1), 1);
	port_run(p);
	CHECK_EQ(port_sent(p), 1);
	return port_check_sent(p, 0, len, seed);
}

int
port_receive_check(struct port *p, uint32_t len, uint32_t seed)
{
	struct rte_mbuf *m;

	CHECK(port_push_frame(p, len, seed));
	port_run(p);
	CHECK_EQ(port_rx(p, &m, 1), 1);
	CHECK_OK(mbuf_check_bytes(m, len, seed));
	rte_pktmbuf_free(m);
	return 0;
}

unsigned int
dir_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int n = 0;

	while (dir != NULL && readdir(dir) != NULL)
		n++;
	if (dir != NULL)
		closedir(dir);
	return n;
}

struct rte_mempool *
pool_make(unsigned int n, uint16_t priv_size, uint16_t data_room)
{
	char name[RTE_MEMPOOL_NAMESIZE];
	struct rte_mempool *mp;

	pool_name(name);
	mp = rte_pktmbuf_pool_create_by_ops(name, n, 0, priv_size, data_room, SOCKET_ID_ANY,
					    POOL_OPS);
	if (mp == NULL)
		printf("no pool of %u mbufs: %s\n", n, rte_strerror(rte_errno));
	return mp;
}

/* The buffers of pinned pools, which rte_mempool_free() leaves alone. */
static struct {
	struct rte_mempool *mp;
	void *mem;
} pinned[PINNED_POOLS];

struct rte_mempool *
pool_make_pinned(unsigned int n, uint16_t data_room, uint16_t elt_size)
{
	struct rte_pktmbuf_extmem ext = { .elt_size = elt_size };
	char name[RTE_MEMPOOL_NAMESIZE];
	unsigned int slot = 0;

	while (slot < PINNED_POOLS && pinned[slot].mp != NULL)
		slot++;
	ext.buf_len = (size_t)n * elt_size;
	ext.buf_ptr = slot == PINNED_POOLS ? NULL : rte_malloc(NULL, ext.buf_len, 64);
	if (ext.buf_ptr == NULL) {
		printf("no memory for %u external buffers\n", n);
		return NULL;
	}
	ext.buf_iova = rte_malloc_virt2iova(ext.buf_ptr);
	pool_name(name);
	pinned[slot].mem = ext.buf_ptr;
	pinned[slot].mp = rte_pktmbuf_pool_create_extbuf(name, n, 0, 0, data_room, SOCKET_ID_ANY,
							 &ext, 1);
	if (pinned[slot].mp == NULL) {
		printf("no pool of %u mbufs: %s\n", n, rte_strerror(rte_errno));
		rte_free(ext.buf_ptr);
	}
	return pinned[slot].mp;
}

int
pool_free_full(struct rte_mempool *mp)
{
	CHECK_EQ(rte_mempool_avail_count(mp), mp->size);
	rte_mempool_free(mp);
	for (unsigned int slot = 0; slot < PINNED_POOLS; slot++) {
		if (pinned[slot].mp == mp) {
			rte_free(pinned[slot].mem);
			pinned[slot].mp = NULL;
		}
	}
	return 0;
}

static int
each_variant(const struct port_variant *variants, unsigned int n,
	     int (*fn)(const struct port_variant *variant))
{
	for (unsigned int i = 0; i < n; i++) {
		if (strstr(variants[i].name, "AVX2") != NULL && !has_avx2())
			continue;
		CHECK(fn(&variants[i]) == 0, "with %s", variants[i].name);
	}
	return 0;
}

#define SCATTER RTE_ETH_RX_OFFLOAD_SCATTER
#define FAST_FREE RTE_ETH_TX_OFFLOAD_MBUF_FAST_FREE

int
each_rx_variant(int (*fn)(const struct port_variant *rx))
{
	static const struct port_variant variants[] = {
		{ "Scalar", .scalar = true },
		{ "Vector AVX2" },
		{ "Scalar, loaded addresses", .pinned = true },
		{ "Scalar, non-coherent", .args = "coherent=0" },
		{ "Scalar, non-coherent, loaded addresses", .args = "coherent=0", .pinned = true },
		{ "Scattered", .offloads = SCATTER },
		{ "Scattered, loaded addresses", .offloads = SCATTER, .pinned = true },
		{ "Scattered, non-coherent", .args = "coherent=0", .offloads = SCATTER },
		{ "Scattered, non-coherent, loaded addresses", .args = "coherent=0",
		  .offloads = SCATTER, .pinned = true },
	};

	return each_variant(variants, RTE_DIM(variants), fn);
}

int
each_tx_variant(int (*fn)(const struct port_variant *tx))
{
	static const struct port_variant variants[] = {
		{ "Scalar", .scalar = true },
		{ "Vector AVX2" },
		{ "Scalar, non-coherent", .args = "coherent=0" },
		{ "Scalar, fast free", .scalar = true, .offloads = FAST_FREE },
		{ "Vector AVX2, fast free", .offloads = FAST_FREE },
		{ "Scalar, non-coherent, fast free", .args = "coherent=0", .offloads = FAST_FREE },
	};

	return each_variant(variants, RTE_DIM(variants), fn);
}

static FILE *log_file;
static char *log_text;
static size_t log_size;

void
log_catch(void)
{
	free(log_text);
	log_text = NULL;
	log_file = open_memstream(&log_text, &log_size);
	rte_openlog_stream(log_file);
}

const char *
log_caught(void)
{
	if (log_file != NULL) {
		rte_openlog_stream(NULL);
		fclose(log_file);
		log_file = NULL;
	}
	return log_text;
}
