/* SPDX-License-Identifier: Apache-2.0 */
/* The result of a run, and its files. */
#ifndef MANX_OUTCOME_H
#define MANX_OUTCOME_H

#include "session.h"

/* The controller's measurements; times are seconds since the start of the measured window. */
struct outcome {
  double boosted_from, boosted_to;  /* when priorities were raised; NaN if they were not */
  double session_cpu_s;             /* CPU time of the session threads in the window */
  double process_cpu_s;             /* of the whole process in the window */
  double foreign_cpu_s;             /* of other processes in the window, on the cores of this one
                                       (of confined sessions: of all other threads on their cores);
                                       NaN if unknown */
  double steal_s;                   /* taken by other guests of the host; NaN if unknown */
  double throttled_s;               /* kept off its cores by a quota, summed over cores; NaN without */
  bool counted;                     /* whether the engine counts its waits */
  struct engine_waits waits;        /* in the window */
};

/* Writes summary.json, seconds.csv and latency.txt into the folder that the options name.
 * Returns 0, or -1 after a line on standard error. */
int outcome_write(const struct run *run, const struct session *sessions,
                  const struct outcome *outcome);

#endif
