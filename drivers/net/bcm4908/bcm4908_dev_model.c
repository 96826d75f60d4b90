/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The seam's model side: gives the model's core memory, a lock, time and a
 * wire, and moves it as stepping= says.
 */

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <rte_common.h>
#include <rte_cycles.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <rte_memory.h>
#include <rte_memzone.h>
#include <rte_spinlock.h>
#include <rte_ticketlock.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "bcm4908_cache.h"
#include "bcm4908_dev.h"
#include "bcm4908_dev_model.h"
#include "bcm4908_logs.h"
#include "model/bcm4908_model.h"
#include "model/bcm4908_model_cache.h"
#include "model/bcm4908_model_fault.h"
#include "model/bcm4908_model_thread.h"
#include "model/bcm4908_wire.h"

#define WINDOW_SIZE	(UINT64_C(1) << 32) /* what a bus address can span */
#define WINDOW_ALIGN	UINT64_C(64)

/* The device knows its rings by addresses of their own, not by the buffer window. */
#define RING_BUS(chan)	(0x10000000u * ((chan) + 1))

#define DELAY_FRAMES	64	/* a step's budget while a procedure waits */
#define STEP_NS		1000	/* with manual stepping, a step takes this long */
#define NS_PER_S	1000000000

#define CACHE_ACCIDENTS	4	/* lines that a cache moves by itself, each step */

/* In a memzone, at the same address in every process. */
struct model_shared {
	struct bcm4908_model_shared model;
	struct bcm4908_wire_shared wire;
	uint64_t bus_base;
	enum bcm4908_stepping stepping;
	bool coherent;
};

struct model_ring {
	const struct rte_memzone *mz;
	bool taken;
};

/* The primary process's side of a device. */
struct model_dev {
	struct model_shared *shared;
	const struct rte_memzone *mz;
	struct bcm4908_model *model;
	struct bcm4908_wire *wire;
	rte_ticketlock_t lock;		/* of the model and the wire */
	RTE_ATOMIC(uint32_t) waiting;	/* control threads that want the lock */
	struct bcm4908_model_client client;
	struct model_ring ring[BCM4908_CHANS];
	uint64_t bus_base;
	uint64_t now;			/* ns, of this step */
	unsigned int reports;
	int rx_irq_fd;			/* -1: nobody asked for it */
	enum bcm4908_stepping stepping;
	int cpu;
	int socket;
	bool started;
	struct bcm4908_model_fault_list faults;
	char name[64];
	char wire_arg[64];
};

/*
 * A control thread takes the lock by yielding, not spinning: the model thread
 * may hold it on the same CPU. As long as one waits, the model thread does not
 * take the lock again.
 */
static void
model_lock(void *ctx)
{
	struct model_dev *md = ctx;

	rte_atomic_fetch_add_explicit(&md->waiting, 1, rte_memory_order_relaxed);
	while (rte_ticketlock_trylock(&md->lock) == 0)
		sched_yield();
	rte_atomic_fetch_sub_explicit(&md->waiting, 1, rte_memory_order_relaxed);
}

static void
model_unlock(void *ctx)
{
	struct model_dev *md = ctx;

	rte_ticketlock_unlock(&md->lock);
}

/* Manual stepping has a clock of its own, so that a test repeats exactly. */
static void
model_tick(struct model_dev *md)
{
	struct timespec ts;

	if (md->stepping == BCM4908_STEPPING_MANUAL) {
		md->now += STEP_NS;
	} else {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		md->now = (uint64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
	}
}

/* With the lock held. */
static unsigned int
model_move(struct model_dev *md, unsigned int budget)
{
	unsigned int moved;

	if (!md->shared->coherent)
		bcm4908_model_cache_churn(CACHE_ACCIDENTS);
	model_tick(md);
	bcm4908_wire_begin(md->wire, md->now);
	moved = bcm4908_wire_rx(md->wire, budget);
	moved += bcm4908_model_step(md->model, budget);
	bcm4908_wire_end(md->wire);
	return moved;
}

/* The model thread's turn. */
static unsigned int
model_serve(void *ctx, unsigned int budget)
{
	struct model_dev *md = ctx;
	unsigned int moved;

	if (rte_atomic_load_explicit(&md->waiting, rte_memory_order_relaxed) != 0 ||
	    rte_ticketlock_trylock(&md->lock) == 0)
		return 0;
	moved = model_move(md, budget);
	rte_ticketlock_unlock(&md->lock);
	return moved;
}

/*
 * Devices that are not coherent and move inside the bursts: a real device
 * moves between any two instructions, so these also move, now and then,
 * between the cache operations of a burst.
 */
static rte_spinlock_t restless_lock = RTE_SPINLOCK_INITIALIZER;
static struct model_dev *restless[RTE_MAX_ETHPORTS];

static void
model_move_restless(void)
{
	if (bcm4908_model_cache_random(2) == 0 || rte_spinlock_trylock(&restless_lock) == 0)
		return;
	for (unsigned int i = 0; i < RTE_DIM(restless); i++) {
		if (restless[i] == NULL || rte_ticketlock_trylock(&restless[i]->lock) == 0)
			continue;
		model_move(restless[i], 1 + bcm4908_model_cache_random(4));
		rte_ticketlock_unlock(&restless[i]->lock);
	}
	rte_spinlock_unlock(&restless_lock);
}

static void
model_cache_hook(uintptr_t addr, size_t len, bool invalidate)
{
	model_move_restless();
	bcm4908_model_cache_begin(addr, len, invalidate);
}

static void
model_cache_sync_hook(void)
{
	model_move_restless();
	bcm4908_model_cache_sync();
}

/* Put a device in the place of another among the restless, NULL: a free place. */
static void
model_set_restless(const struct model_dev *old, struct model_dev *md)
{
	unsigned int i = 0;

	rte_spinlock_lock(&restless_lock);
	while (i < RTE_DIM(restless) && restless[i] != old)
		i++;
	if (i < RTE_DIM(restless))
		restless[i] = md;
	rte_spinlock_unlock(&restless_lock);
}

static void
model_cache_attach(struct model_dev *md)
{
	if (md->shared->coherent)
		return;
	bcm4908_model_cache_get();
	bcm4908_cache_hook = model_cache_hook;
	bcm4908_cache_sync_hook = model_cache_sync_hook;
	if (md->stepping == BCM4908_STEPPING_BURST)
		model_set_restless(NULL, md);
}

static void
model_cache_detach(struct model_dev *md)
{
	if (md->shared->coherent)
		return;
	if (md->stepping == BCM4908_STEPPING_BURST)
		model_set_restless(md, NULL);
	if (bcm4908_model_cache_put() == 0) {
		bcm4908_cache_hook = NULL;
		bcm4908_cache_sync_hook = NULL;
	}
}

/* The model's way out: memory, line, time. */

static void *
model_map_ring(const struct model_dev *md, unsigned int chan, uint32_t bus, uint32_t len)
{
	const struct rte_memzone *mz = md->ring[chan].mz;
	const uint64_t offset = (uint64_t)bus - RING_BUS(chan);

	if (!md->ring[chan].taken || bus < RING_BUS(chan) || offset + len > mz->len)
		return NULL;
	return RTE_PTR_ADD(mz->addr, offset);
}

static bool
model_known_memory(uintptr_t addr, uint32_t len)
{
	return len == 0 ||
		(rte_mem_virt2memseg((const void *)addr, NULL) != NULL &&
		 rte_mem_virt2memseg((const void *)(addr + len - 1), NULL) != NULL);
}

/* A buffer that the device owns is poisoned for everybody else; see bcm4908_rx_mark_owned(). */
static void
model_mark_written(uintptr_t addr __rte_unused, uint32_t len __rte_unused)
{
#ifdef __SANITIZE_ADDRESS__
	ASAN_UNPOISON_MEMORY_REGION((void *)addr, len);
#endif
}

static void *
model_map(void *ctx, enum bcm4908_model_space space, uint32_t bus, uint32_t len,
	  bool write)
{
	const struct model_dev *md = ctx;
	const uintptr_t addr = md->bus_base + bus;

	if (space == BCM4908_SPACE_RX_RING)
		return model_map_ring(md, BCM4908_CHAN_RX, bus, len);
	if (space == BCM4908_SPACE_TX_RING)
		return model_map_ring(md, BCM4908_CHAN_TX, bus, len);

	if (bus + (uint64_t)len > WINDOW_SIZE)
		return NULL;
	if (md->stepping == BCM4908_STEPPING_MANUAL && !model_known_memory(addr, len))
		return NULL;
	if (!md->shared->coherent)
		return bcm4908_model_cache_map(addr, len);
	if (write)
		model_mark_written(addr, len);
	return (void *)addr;
}

static bool
model_line_tx(void *ctx, const struct bcm4908_model_frame *frame)
{
	struct model_dev *md = ctx;

	return bcm4908_wire_tx(md->wire, frame);
}

static uint64_t
model_now(void *ctx)
{
	const struct model_dev *md = ctx;

	return md->now;
}

/* The CPU is told when the level rises; the handler then masks or acknowledges. */
static void
model_irq(void *ctx, enum bcm4908_model_irq line, bool level)
{
	const struct model_dev *md = ctx;

	if (line == BCM4908_IRQ_LINE_RX && level && md->rx_irq_fd >= 0)
		eventfd_write(md->rx_irq_fd, 1);
}

static bool strict;
static RTE_ATOMIC(unsigned int) all_reports;

static void
model_report(void *ctx, const char *what)
{
	struct model_dev *md = ctx;

	md->reports++;
	rte_atomic_fetch_add_explicit(&all_reports, 1, rte_memory_order_relaxed);
	PMD_LOG(WARNING, "%s: %s", md->name, what);
}

/* The seam, in the primary process. */

static uint32_t
model_read(const struct bcm4908_dev *dev, uint32_t reg)
{
	const struct model_shared *shared = dev->shared;

	return bcm4908_model_read(&shared->model, reg);
}

static void
model_write(struct bcm4908_dev *dev, uint32_t reg, uint32_t val)
{
	struct model_dev *md = dev->priv;

	model_lock(md);
	bcm4908_model_write(md->model, reg, val);
	model_unlock(md);
}

static unsigned int
model_step(struct bcm4908_dev *dev, unsigned int budget)
{
	struct model_dev *md = dev->priv;
	unsigned int moved;

	rte_ticketlock_lock(&md->lock);
	moved = model_move(md, budget);
	rte_ticketlock_unlock(&md->lock);
	return moved;
}

static void
model_delay_thread(struct bcm4908_dev *dev, unsigned int us)
{
	const struct model_dev *md = dev->priv;

	/* Not connected yet, or no longer: the thread does not serve it. */
	if (!md->started)
		model_step(dev, DELAY_FRAMES);
	rte_delay_us_sleep(us);
}

static void
model_delay_burst(struct bcm4908_dev *dev, unsigned int us)
{
	const uint64_t until = rte_get_tsc_cycles() + us * rte_get_tsc_hz() / US_PER_S;

	do {
		model_step(dev, DELAY_FRAMES);
	} while (rte_get_tsc_cycles() < until);
}

static void
model_delay_manual(struct bcm4908_dev *dev, unsigned int us)
{
	for (uint64_t ns = 0; ns < us * UINT64_C(1000); ns += STEP_NS)
		model_step(dev, DELAY_FRAMES);
}

/* A memzone's name has less room than a device's. */
static void
model_zone_name(const char *name, const char *what, char *zone)
{
	uint32_t hash = 5381;

	if (snprintf(zone, RTE_MEMZONE_NAMESIZE, "%s_%s", name, what) < RTE_MEMZONE_NAMESIZE)
		return;
	for (const char *c = name; *c != '\0'; c++)
		hash = hash * 33 + (uint8_t)*c;
	snprintf(zone, RTE_MEMZONE_NAMESIZE, "%.15s_%08" PRIx32 "_%.4s", name, hash, what);
}

static const struct rte_memzone *
model_zone(const struct model_dev *md, const char *what, size_t len)
{
	char zone[RTE_MEMZONE_NAMESIZE];
	const struct rte_memzone *mz;

	model_zone_name(md->name, what, zone);
	mz = rte_memzone_reserve_aligned(zone, len, md->socket, 0, BCM4908_RING_ALIGN);
	if (mz == NULL)
		PMD_LOG(ERR, "%s: no memory zone %s of %zu bytes: %s", md->name, zone, len,
			rte_strerror(rte_errno));
	return mz;
}

static int
model_ring_alloc(struct bcm4908_dev *dev, unsigned int chan, size_t len, struct bcm4908_dma *dma)
{
	/* Large enough for any ring from the start: channels come and go with queue setup. */
	static const char * const names[BCM4908_CHANS] = { "rxr", "txr" };
	const size_t need = RTE_MAX(len, (size_t)BCM4908_RING_MAX * BCM4908_DESC_SIZE);
	struct model_dev *md = dev->priv;
	struct model_ring *ring = &md->ring[chan];

	if (ring->taken)
		return -EBUSY;
	if (ring->mz != NULL && ring->mz->len < need) {
		rte_memzone_free(ring->mz);
		ring->mz = NULL;
	}
	if (ring->mz == NULL)
		ring->mz = model_zone(md, names[chan], need);
	if (ring->mz == NULL)
		return -ENOMEM;
	memset(ring->mz->addr, 0, ring->mz->len);
	dma->va = ring->mz->addr;
	dma->bus = RING_BUS(chan);
	dma->len = len;
	model_lock(md);
	ring->taken = true;
	model_unlock(md);
	return 0;
}

static void
model_ring_free(struct bcm4908_dev *dev, unsigned int chan)
{
	struct model_dev *md = dev->priv;

	model_lock(md);
	md->ring[chan].taken = false;
	model_unlock(md);
}

static int
model_set_window(struct bcm4908_dev *dev, uint64_t lo, uint64_t hi)
{
	struct model_dev *md = dev->priv;
	uint64_t base;

	if (hi < lo || hi - lo > WINDOW_SIZE)
		return -ERANGE;
	/* The range goes to the middle, so that pools on both sides of it are reachable too. */
	base = lo - RTE_MIN(lo, (WINDOW_SIZE - (hi - lo)) / 2);
	base = RTE_ALIGN_FLOOR(base, WINDOW_ALIGN);
	if (hi - base > WINDOW_SIZE)
		return -ERANGE;
	if (!dev->coherent) {
		int ret = bcm4908_model_cache_reach(lo, hi);

		if (ret != 0)
			return ret;
	}

	model_lock(md);
	md->bus_base = base;
	model_unlock(md);
	md->shared->bus_base = base;
	dev->bus_base = base;
	return 0;
}

static int
model_start(struct bcm4908_dev *dev)
{
	struct model_dev *md = dev->priv;
	int ret = 0;

	if (md->started)
		return 0;
	bcm4908_wire_start(md->wire);
	if (md->stepping == BCM4908_STEPPING_THREAD)
		ret = bcm4908_model_thread_add(&md->client, md->cpu);
	if (ret != 0) {
		bcm4908_wire_stop(md->wire);
		return ret;
	}
	md->started = true;
	return 0;
}

static void
model_stop(struct bcm4908_dev *dev)
{
	struct model_dev *md = dev->priv;

	if (!md->started)
		return;
	if (md->stepping == BCM4908_STEPPING_THREAD)
		bcm4908_model_thread_remove(&md->client);
	bcm4908_wire_stop(md->wire);
	md->started = false;
}

static bool
model_link(const struct bcm4908_dev *dev)
{
	const struct model_shared *shared = dev->shared;

	return rte_atomic_load_explicit(&shared->wire.link, rte_memory_order_acquire) != 0;
}

static uint64_t
model_line_drops(const struct bcm4908_dev *dev)
{
	const struct model_shared *shared = dev->shared;

	return rte_atomic_load_explicit(&shared->wire.dropped, rte_memory_order_relaxed);
}

/* With stepping=burst nothing arrives, and nothing interrupts, while the application sleeps. */
static int
model_rx_irq_fd(struct bcm4908_dev *dev)
{
	struct model_dev *md = dev->priv;
	int fd;

	if (md->stepping == BCM4908_STEPPING_BURST)
		return -ENOTSUP;
	if (md->rx_irq_fd >= 0)
		return md->rx_irq_fd;
	fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	model_lock(md);
	md->rx_irq_fd = fd;
	model_unlock(md);
	return fd;
}

static void
model_free(struct model_dev *md)
{
	bcm4908_wire_destroy(md->wire);
	if (md->model != NULL)
		bcm4908_model_destroy(md->model);
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		rte_memzone_free(md->ring[chan].mz);
	rte_memzone_free(md->mz);
	if (md->rx_irq_fd >= 0)
		close(md->rx_irq_fd);
	free(md);
}

static void
model_close(struct bcm4908_dev *dev)
{
	model_stop(dev);
	model_cache_detach(dev->priv);
	model_free(dev->priv);
	*dev = (struct bcm4908_dev){ 0 };
}

#define MODEL_OPS \
	.read = model_read, \
	.write = model_write, \
	.ring_alloc = model_ring_alloc, \
	.ring_free = model_ring_free, \
	.set_window = model_set_window, \
	.start = model_start, \
	.stop = model_stop, \
	.link = model_link, \
	.line_drops = model_line_drops, \
	.rx_irq_fd = model_rx_irq_fd, \
	.close = model_close

static const struct bcm4908_dev_ops model_ops[] = {
	[BCM4908_STEPPING_THREAD] = {
		MODEL_OPS,
		.delay = model_delay_thread,
	},
	[BCM4908_STEPPING_BURST] = {
		MODEL_OPS,
		.delay = model_delay_burst,
		.step = model_step,
	},
	[BCM4908_STEPPING_MANUAL] = {
		MODEL_OPS,
		.delay = model_delay_manual,
		.step = model_step,
	},
};

/* What a process sees of a device, from its shared part. */
static void
model_fill_dev(struct bcm4908_dev *dev, struct model_shared *shared)
{
	dev->shared = shared;
	for (unsigned int chan = 0; chan < BCM4908_CHANS; chan++)
		dev->doorbell[chan] =
			(RTE_ATOMIC(uint32_t) *)&shared->model.doorbell[chan].word;
	dev->bus_base = shared->bus_base;
	dev->mbuf_addr_off = offsetof(struct rte_mbuf, buf_addr);
	dev->coherent = shared->coherent;
	dev->stepping = shared->stepping;
}

static int
model_set_faults(struct model_dev *md)
{
	for (unsigned int i = 0; i < md->faults.nb; i++)
		if (bcm4908_model_fault_set(md->model, md->faults.item[i].kind,
					    &md->faults.item[i].fault) != 0)
			return -ENOMEM;
	return 0;
}

static int
model_create_core(struct model_dev *md, const struct bcm4908_devargs *args)
{
	struct bcm4908_model_env env = {
		.ctx = md,
		.map = model_map,
		.line_tx = model_line_tx,
		.irq = model_irq,
		.now = model_now,
	};
	struct bcm4908_wire_config wire = {
		.name = md->name,
		.wire = md->wire_arg,
		.rate = args->rate,
		.socket = md->socket,
		.regs = &md->shared->model,
		.shared = &md->shared->wire,
		.lock = model_lock,
		.unlock = model_unlock,
		.ctx = md,
	};

	if (md->stepping == BCM4908_STEPPING_MANUAL)
		env.now = NULL;
	if (md->stepping == BCM4908_STEPPING_MANUAL || strict)
		env.report = model_report;
	md->model = bcm4908_model_create(&md->shared->model, &env);
	if (md->model == NULL)
		return -ENOMEM;
	if (model_set_faults(md) != 0)
		return -ENOMEM;
	wire.model = md->model;
	return bcm4908_wire_create(&md->wire, &wire);
}

static int
model_parse_faults(struct model_dev *md, const char *text)
{
	char names[512];
	const char *wrong;

	if (text[0] == '\0')
		return 0;
	wrong = bcm4908_model_fault_parse(text, &md->faults);
	if (wrong == NULL)
		return 0;
	bcm4908_model_fault_names(names, sizeof(names));
	PMD_LOG(ERR, "%s: fault=%s: %s; allowed are, joined by +: %s", md->name, text, wrong, names);
	return -EINVAL;
}

static int
model_check_args(const char *name, const struct bcm4908_devargs *args)
{
	if (args->cpu >= CPU_SETSIZE) {
		PMD_LOG(ERR, "%s: cpu=%d: allowed are 0 to %d", name, args->cpu, CPU_SETSIZE - 1);
		return -EINVAL;
	}
	if (args->stepping == BCM4908_STEPPING_NONE) {
		PMD_LOG(ERR, "%s: stepping=: allowed are thread, burst and manual", name);
		return -EINVAL;
	}
	return 0;
}

int
bcm4908_dev_model_create(struct bcm4908_dev *dev, const char *name,
			 const struct bcm4908_devargs *args, int socket)
{
	struct model_dev *md;
	int ret;

	ret = model_check_args(name, args);
	if (ret != 0)
		return ret;
	md = calloc(1, sizeof(*md));
	if (md == NULL)
		return -ENOMEM;
	snprintf(md->name, sizeof(md->name), "%s", name);
	snprintf(md->wire_arg, sizeof(md->wire_arg), "%s", args->wire);
	md->stepping = args->stepping;
	md->cpu = args->cpu;
	md->rx_irq_fd = -1;
	md->socket = socket;
	md->client.serve = model_serve;
	md->client.ctx = md;
	rte_ticketlock_init(&md->lock);
	ret = model_parse_faults(md, args->fault);
	if (ret != 0) {
		free(md);
		return ret;
	}

	md->mz = model_zone(md, "dev", sizeof(*md->shared));
	if (md->mz == NULL) {
		ret = -ENOMEM;
	} else {
		md->shared = md->mz->addr;
		memset(md->shared, 0, sizeof(*md->shared));
		md->shared->stepping = args->stepping;
		md->shared->coherent = args->coherent;
		ret = model_create_core(md, args);
	}
	if (ret != 0) {
		model_free(md);
		return ret;
	}

	*dev = (struct bcm4908_dev){
		.ops = &model_ops[args->stepping],
		.priv = md,
	};
	model_fill_dev(dev, md->shared);
	model_cache_attach(md);
	return 0;
}

/* The seam in a secondary process, which looks but does not touch. */

static void
secondary_refuse(const char *what)
{
	PMD_LOG(ERR, "%s: only the primary process may do that", what);
}

static void
secondary_write(struct bcm4908_dev *dev __rte_unused, uint32_t reg __rte_unused,
		uint32_t val __rte_unused)
{
	secondary_refuse("register write");
}

static void
secondary_delay(struct bcm4908_dev *dev __rte_unused, unsigned int us)
{
	rte_delay_us_sleep(us);
}

static int
secondary_ring_alloc(struct bcm4908_dev *dev __rte_unused, unsigned int chan __rte_unused,
		     size_t len __rte_unused, struct bcm4908_dma *ring __rte_unused)
{
	secondary_refuse("ring allocation");
	return -EPERM;
}

static void
secondary_ring_free(struct bcm4908_dev *dev __rte_unused, unsigned int chan __rte_unused)
{
	secondary_refuse("ring release");
}

static int
secondary_set_window(struct bcm4908_dev *dev __rte_unused, uint64_t lo __rte_unused,
		     uint64_t hi __rte_unused)
{
	secondary_refuse("buffer window");
	return -EPERM;
}

static int
secondary_start(struct bcm4908_dev *dev __rte_unused)
{
	secondary_refuse("start");
	return -EPERM;
}

static void
secondary_stop(struct bcm4908_dev *dev __rte_unused)
{
	secondary_refuse("stop");
}

static void
secondary_close(struct bcm4908_dev *dev)
{
	*dev = (struct bcm4908_dev){ 0 };
}

static const struct bcm4908_dev_ops secondary_ops = {
	.read = model_read,
	.write = secondary_write,
	.delay = secondary_delay,
	.ring_alloc = secondary_ring_alloc,
	.ring_free = secondary_ring_free,
	.set_window = secondary_set_window,
	.start = secondary_start,
	.stop = secondary_stop,
	.link = model_link,
	.line_drops = model_line_drops,
	.close = secondary_close,
};

int
bcm4908_dev_model_attach(struct bcm4908_dev *dev, void *shared)
{
	*dev = (struct bcm4908_dev){ .ops = &secondary_ops };
	model_fill_dev(dev, shared);
	return 0;
}

struct bcm4908_model *
bcm4908_dev_model_of(struct bcm4908_dev *dev)
{
	struct model_dev *md = dev->priv;

	return md->model;
}

const struct bcm4908_wire_shared *
bcm4908_dev_model_wire(const struct bcm4908_dev *dev)
{
	const struct model_shared *shared = dev->shared;

	return &shared->wire;
}

unsigned int
bcm4908_dev_model_reports(const struct bcm4908_dev *dev)
{
	const struct model_dev *md = dev->priv;

	return md->reports;
}

void
bcm4908_dev_model_set_strict(bool on)
{
	strict = on;
}

unsigned int
bcm4908_dev_model_all_reports(void)
{
	return rte_atomic_load_explicit(&all_reports, rte_memory_order_relaxed);
}

void
bcm4908_dev_model_check_free(struct bcm4908_dev *dev, const void *addr, uint32_t len)
{
	struct model_dev *md = dev->priv;

	/* also a step frees, its wire's buffers */
	if (rte_ticketlock_trylock(&md->lock) == 0)
		return;
	bcm4908_model_check_free(md->model, (uintptr_t)addr - md->bus_base, len);
	rte_ticketlock_unlock(&md->lock);
}
