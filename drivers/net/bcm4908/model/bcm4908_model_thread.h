/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright(c) 2026 The net/bcm4908 authors
 */

/*
 * The thread that moves models: one control thread per process, which lives
 * while there is anything to serve.
 */

#ifndef BCM4908_MODEL_THREAD_H
#define BCM4908_MODEL_THREAD_H

/* Something that the thread serves; stays in place while it does. */
struct bcm4908_model_client {
	/*
	 * Move by at most budget frames each way and return how many moved.
	 * Must not wait for long: others are served by the same thread.
	 */
	unsigned int (*serve)(void *ctx, unsigned int budget);
	void *ctx;
};

/**
 * Have a client served, starting the thread if it is the first.
 *
 * @param cpu
 *   CPU to move the thread to, or -1 to leave it where it is.
 * @return
 *   0, -ENOSPC (as many as ethdev has ports are served), -EINVAL (no such CPU;
 *   logged), or what the creation of the thread gave (logged).
 */
int bcm4908_model_thread_add(struct bcm4908_model_client *client, int cpu);

/**
 * Have a client no longer served; after the return, serve is not running. Ends
 * the thread if it was the last one.
 */
void bcm4908_model_thread_remove(struct bcm4908_model_client *client);

#endif /* BCM4908_MODEL_THREAD_H */
