/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manx_wait.h outside the engine: one thread publishes numbers, others wait for each of them, in the
 * way that MANX_WAIT names, as often as the argument says. A wake-up is lost if a waiter sleeps to its
 * time-out although its number is published and the publisher has finished waking; a wait that never
 * ends shows as a test that does not end.
 */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What WiredTiger calls them. */
#define WT_PAUSE() __asm__ volatile("" ::: "memory")
static void __wt_yield(void) { (void)sched_yield(); }
static void __wt_sleep(uint64_t seconds, uint64_t micros) {
  struct timespec time = {(time_t)seconds, (long)micros * 1000};
  (void)nanosleep(&time, NULL);
}
static void __wt_spin_backoff(uint64_t *yields, uint64_t *sleep_us) {
  if (*yields < 1000) {
    if ((*yields)++ >= 10) {
      __wt_yield();
    }
    return;
  }
  *sleep_us = *sleep_us + 100 < 1000 ? *sleep_us + 100 : 1000;
  __wt_sleep(0, *sleep_us);
}

static _Atomic int published;
static _Atomic int woken; /* the last number whose publisher has finished waking */
static _Atomic int lost;  /* wake-ups */
static _Thread_local int awaited;

/* A time-out is no loss while the number is still to come: its publisher may be off the core. */
static long counted(long result) {
  int error = errno;
  if (result == -1 && error == ETIMEDOUT && atomic_load(&woken) >= awaited) {
    atomic_fetch_add(&lost, 1);
  }
  errno = error;
  return result;
}
#define syscall(...) counted(syscall(__VA_ARGS__))
#include "patch/manx_wait.h"
#undef syscall

#define WAITERS 3

static int rounds;
static _Atomic int arrived[WAITERS];

static void *waiter(void *argument) {
  _Atomic int *mine = argument;
  for (int round = 1; round <= rounds; round++) {
    struct manx_wait wait = {0};
    awaited = round;
    while (atomic_load(&published) < round) {
      manx_wait_more(&wait);
    }
    manx_wait_done(&wait);
    atomic_store(mine, round);
  }
  return NULL;
}

int main(int count, char **arguments) {
  rounds = count > 1 ? atoi(arguments[1]) : 100;
  (void)alarm(120);
  pthread_t threads[WAITERS];
  for (int i = 0; i < WAITERS; i++) {
    CHECK(pthread_create(&threads[i], NULL, waiter, &arrived[i]) == 0, "thread");
  }
  for (int round = 1; round <= rounds; round++) {
    /* Now and then late, so that all are surely asleep. */
    if (round % 16 == 0) {
      __wt_sleep(0, 300);
    }
    atomic_store(&published, round);
    if (manx_publish_wakes) {
      manx_published();
    }
    atomic_store(&woken, round);
    for (int i = 0; i < WAITERS; i++) {
      while (atomic_load(&arrived[i]) < round) {
        (void)sched_yield();
      }
    }
  }
  for (int i = 0; i < WAITERS; i++) {
    CHECK(pthread_join(threads[i], NULL) == 0, "join");
  }
  uint64_t counters[4];
  manx_wait_counters(counters);
  CHECK(counters[0] > 0 && counters[1] >= counters[0] && counters[2] > 0, "counted waits");
  CHECK(counters[3] <= counters[0], "stalls are waits");
  CHECK(atomic_load(&manx_waiters) == 0, "no waiter is left");
  /* A sleep may end by chance just when its number is published. A defect loses nearly all. */
  CHECK(atomic_load(&lost) * 10 <= rounds, "%d wake-ups were lost in %d rounds", atomic_load(&lost),
        rounds);
  printf("%llu waits, %llu over 1 ms\n", (unsigned long long)counters[0],
         (unsigned long long)counters[3]);
  return 0;
}
