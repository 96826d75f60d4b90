/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * Register accesses of the Linux driver and of ours, phase by phase. The guide
 * shows the same table; BCM4908_GUIDE names its page.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "scenario.h"

enum phase {
	PROBE,
	OPEN,
	SEND_1,
	REAP_1,
	SEND_32,
	REAP_32,
	RECEIVE_1,
	RECEIVE_32,
	STOP,
	REMOVE,
	PHASES
};

static const char * const phase_name[PHASES] = {
	[PROBE] = "probe",
	[OPEN] = "open",
	[SEND_1] = "send 1 frame",
	[REAP_1] = "reap it",
	[SEND_32] = "send 32 frames",
	[REAP_32] = "reap them",
	[RECEIVE_1] = "receive 1 frame",
	[RECEIVE_32] = "receive 32 frames",
	[STOP] = "stop",
	[REMOVE] = "remove",
};

struct counts {
	uint64_t reads;
	uint64_t writes;
};

static void
take(struct oracle_rig *rig, struct counts *counts)
{
	counts->reads = rig->reads;
	counts->writes = rig->writes;
	oracle_count_begin(rig);
}

static int
send(struct oracle_rig *rig, unsigned int n, struct counts *send_counts,
     struct counts *reap_counts)
{
	CHECK_EQ(rig->driver->send(rig, n), n);
	rig->sent += n;
	take(rig, send_counts);
	while (oracle_step(rig, 64) > 0)
		;
	CHECK_EQ(rig->out.next, rig->sent);
	CHECK(rig->driver->serve(rig) == 0);
	take(rig, reap_counts);
	return 0;
}

static int
receive(struct oracle_rig *rig, unsigned int n, struct counts *counts)
{
	rig->in.max_len = 64;
	for (unsigned int i = 0; i < n; i++)
		CHECK(oracle_inject(rig));
	while (oracle_step(rig, 64) > 0)
		;
	CHECK(rig->driver->serve(rig) == 0);
	CHECK_EQ(rig->in.next, rig->injected);
	take(rig, counts);
	return 0;
}

static int
run(struct oracle_rig *rig, struct counts *counts)
{
	CHECK(rig->driver->probe(rig) == 0);
	take(rig, &counts[PROBE]);
	CHECK(rig->driver->open(rig) == 0);
	take(rig, &counts[OPEN]);
	CHECK(send(rig, 1, &counts[SEND_1], &counts[REAP_1]) == 0);
	CHECK(send(rig, 32, &counts[SEND_32], &counts[REAP_32]) == 0);
	CHECK(receive(rig, 1, &counts[RECEIVE_1]) == 0);
	CHECK(receive(rig, 32, &counts[RECEIVE_32]) == 0);
	CHECK(rig->driver->stop(rig) == 0);
	take(rig, &counts[STOP]);
	CHECK(rig->driver->remove(rig) == 0);
	take(rig, &counts[REMOVE]);
	CHECK_EQ(rig->in.bad, 0);
	CHECK_EQ(rig->out.bad, 0);
	CHECK_EQ(rig->reports, 0);
	return 0;
}

static int
count_accesses(const struct oracle_driver *driver, struct counts *counts)
{
	struct oracle_rig *rig = oracle_rig_create(driver, false);
	int ret;

	CHECK(rig != NULL);
	ret = run(rig, counts);
	oracle_rig_destroy(rig);
	return ret;
}

/* Is this a line of the guide's page, white space at its ends aside? */
static bool
guide_has(FILE *guide, const char *row)
{
	char line[256], *text;

	rewind(guide);
	while (fgets(line, sizeof(line), guide) != NULL) {
		text = line + strspn(line, " ");
		text[strcspn(text, "\n")] = '\0';
		if (strcmp(text, row) == 0)
			return true;
	}
	return false;
}

TEST(oracle_accesses)
{
	const char *path = getenv("BCM4908_GUIDE");
	FILE *guide = path == NULL ? NULL : fopen(path, "r");
	struct counts linux_counts[PHASES], own_counts[PHASES];
	unsigned int missing = 0;
	char row[128];

	CHECK(path == NULL || guide != NULL, "%s cannot be read", path);
	CHECK(count_accesses(&oracle_linux, linux_counts) == 0);
	CHECK(count_accesses(&oracle_own, own_counts) == 0);
	printf("phase, Linux reads, Linux writes, net/bcm4908 reads, net/bcm4908 writes\n");
	for (unsigned int i = 0; i < PHASES; i++) {
		snprintf(row, sizeof(row), "%s, %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64,
			 phase_name[i], linux_counts[i].reads, linux_counts[i].writes,
			 own_counts[i].reads, own_counts[i].writes);
		printf("%s\n", row);
		if (guide != NULL && !guide_has(guide, row))
			missing++;
	}
	if (guide != NULL)
		fclose(guide);
	CHECK(missing == 0, "%u rows differ from those of %s", missing, path);
	/* no register is read in a burst, one doorbell is written for it [design of the driver] */
	for (unsigned int i = SEND_1; i <= RECEIVE_32; i++) {
		CHECK_EQ(own_counts[i].reads, 0);
		CHECK(own_counts[i].writes <= 1, "%s", phase_name[i]);
	}
	return 0;
}
