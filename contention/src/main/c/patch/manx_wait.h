/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a WiredTiger thread waits for another one that is allocating its transaction id. The build
 * includes this file into src/txn/txn.c and calls it where the engine as shipped only pauses the
 * CPU. Which of the ways is taken is read once, when the library is loaded, from the environment:
 *
 *   MANX_WAIT=spin      pause the CPU, as shipped: for ever if need be
 *   MANX_WAIT=adaptive  __wt_spin_backoff(): 10 checks, 990 yields, then sleeps of 0.1 to 1 ms
 *   MANX_WAIT=yield     yield after each check
 *   MANX_WAIT=sleep     sleep MANX_WAIT_SLEEP_US (100) after each check
 *   MANX_WAIT=blocking  sleep until an id is published (futex), at most 10 ms
 *
 * The ways are those of Andreoli and Cucinotta, "Inducing Huge Tail Latency on a MongoDB
 * deployment", section II-B. A blocked waiter needs the publisher to wake it, which is the second
 * place that the build changes.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MANX_EXPORT __attribute__((visibility("default")))

enum manx_way { MANX_SPIN, MANX_ADAPTIVE, MANX_YIELD, MANX_SLEEP, MANX_BLOCKING };

static enum manx_way manx_way = MANX_SPIN;
static uint64_t manx_sleep_us = 100;

/* Whether publishers have to look for waiters. */
int manx_publish_wakes = 0;

/* Of blocking: publications that met a waiter, and how many wait. */
static _Atomic uint32_t manx_publications;
static _Atomic uint32_t manx_waiters;

/* waits, checks in vain, nanoseconds, waits of a millisecond or longer */
static _Atomic uint64_t manx_counters[4];

/* One wait: a thread and the slot of another one that it looks at. */
struct manx_wait {
    uint64_t checks;
    uint64_t yields, sleep_us; /* state of __wt_spin_backoff() */
    uint64_t since;
    uint32_t seen; /* of manx_publications */
};

__attribute__((constructor)) static void
manx_wait_choose(void)
{
    static const char *const ways[] = {"spin", "adaptive", "yield", "sleep", "blocking"};
    const char *way = getenv("MANX_WAIT");
    const char *sleep = getenv("MANX_WAIT_SLEEP_US");
    size_t i = 0;

    if (way != NULL) {
        while (i < 5 && strcmp(way, ways[i]) != 0)
            i++;
        if (i == 5) {
            fprintf(stderr, "MANX_WAIT=%s is refused; allowed: spin adaptive yield sleep blocking\n", way);
            exit(2);
        }
    }
    manx_way = (enum manx_way)i;
    manx_publish_wakes = manx_way == MANX_BLOCKING;
    if (sleep != NULL && atoi(sleep) > 0)
        manx_sleep_us = (uint64_t)atoi(sleep);
}

static uint64_t
manx_nanos(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

/* The first call only registers, so that a publication after it is not missed; then the caller looks
 * again. A publication between two looks changes the futex, and FUTEX_WAIT returns at once. */
static void
manx_block(struct manx_wait *wait)
{
    static const struct timespec longest = {0, 10000000};

    if (wait->checks == 1)
        (void)atomic_fetch_add(&manx_waiters, 1);
    else
        (void)syscall(SYS_futex, (void *)&manx_publications, FUTEX_WAIT_PRIVATE, wait->seen, &longest, NULL, 0);
    wait->seen = atomic_load(&manx_publications);
}

/* After a check in vain. */
static void
manx_wait_more(struct manx_wait *wait)
{
    if (wait->checks++ == 0)
        wait->since = manx_nanos();
    switch (manx_way) {
    case MANX_SPIN:
        WT_PAUSE();
        break;
    case MANX_ADAPTIVE:
        __wt_spin_backoff(&wait->yields, &wait->sleep_us);
        break;
    case MANX_YIELD:
        __wt_yield();
        break;
    case MANX_SLEEP:
        __wt_sleep(0, manx_sleep_us);
        break;
    case MANX_BLOCKING:
        manx_block(wait);
        break;
    }
}

/* After the check that was not in vain; `wait` is as new if there was no other. */
static void
manx_wait_done(struct manx_wait *wait)
{
    uint64_t nanos;

    if (wait->checks == 0)
        return;
    if (manx_way == MANX_BLOCKING)
        (void)atomic_fetch_sub(&manx_waiters, 1);
    nanos = manx_nanos() - wait->since;
    atomic_fetch_add_explicit(&manx_counters[0], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&manx_counters[1], wait->checks, memory_order_relaxed);
    atomic_fetch_add_explicit(&manx_counters[2], nanos, memory_order_relaxed);
    if (nanos >= 1000000)
        atomic_fetch_add_explicit(&manx_counters[3], 1, memory_order_relaxed);
}

/* After an id was published, if manx_publish_wakes. The fence orders the publication before the look
 * at the waiters, as a waiter registers before it looks at the id. */
void
manx_published(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load(&manx_waiters) > 0) {
        (void)atomic_fetch_add(&manx_publications, 1);
        (void)syscall(SYS_futex, (void *)&manx_publications, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}

/* What was counted so far. */
MANX_EXPORT void manx_wait_counters(uint64_t *counters);
void
manx_wait_counters(uint64_t *counters)
{
    int i;

    for (i = 0; i < 4; i++)
        counters[i] = atomic_load_explicit(&manx_counters[i], memory_order_relaxed);
}
