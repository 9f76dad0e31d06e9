/* SPDX-License-Identifier: Apache-2.0 */
/* Time of the machine's monotonic clock, in nanoseconds. */
#ifndef MANX_CLOCK_H
#define MANX_CLOCK_H

#include <errno.h>
#include <stdint.h>
#include <time.h>

#define NANOS_PER_SECOND INT64_C(1000000000)
#define NANOS_PER_MILLI INT64_C(1000000)

/* Nanoseconds of a clock such as CLOCK_MONOTONIC. */
static inline int64_t clock_nanos(clockid_t clock) {
  struct timespec now;
  (void)clock_gettime(clock, &now);
  return now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

/* Nanoseconds now. */
static inline int64_t now_nanos(void) { return clock_nanos(CLOCK_MONOTONIC); }

/* Sleeps until a time of now_nanos(); returns at once if it has passed. */
static inline void sleep_until(int64_t nanos) {
  struct timespec moment = {.tv_sec = (time_t)(nanos / NANOS_PER_SECOND),
                            .tv_nsec = (long)(nanos % NANOS_PER_SECOND)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, NULL) == EINTR) {
  }
}

#endif
