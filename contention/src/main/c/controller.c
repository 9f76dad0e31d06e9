/* SPDX-License-Identifier: Apache-2.0 */
#include "controller.h"

#include "clock.h"
#include "machine.h"
#include "priority.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Time from the release of the sessions to the first operation, so that all are ready. */
#define LAUNCH_NANOS (100 * NANOS_PER_MILLI)

static int complain(const char *what, int error) {
  fprintf(stderr, "driver: cannot %s: %s\n", what, strerror(error));
  return -1;
}

static int confine(const struct run *run, const struct session *sessions, const cpu_set_t *cpus) {
  for (int i = 0; i < run->options->threads; i++) {
    int error = set_cpus(sessions[i].thread_id, cpus);
    if (error != 0) {
      return complain("confine a session to its CPUs", error);
    }
  }
  return 0;
}

static int prioritize(const struct run *run, const struct session *sessions, int nice) {
  for (int i = 0; i < run->options->boost; i++) {
    int error = set_nice(sessions[i].thread_id, nice);
    if (error != 0) {
      return complain("change the nice level of a session", error);
    }
  }
  return 0;
}

static double sessions_cpu_seconds(const struct run *run, const struct session *sessions) {
  int64_t nanos = 0;
  for (int i = 0; i < run->options->threads; i++) {
    clockid_t clock;
    if (pthread_getcpuclockid(sessions[i].thread, &clock) == 0) {
      nanos += clock_nanos(clock);
    }
  }
  return (double)nanos / NANOS_PER_SECOND;
}

static double window_seconds(const struct run *run, int64_t nanos) {
  return (double)(nanos - run->from) / NANOS_PER_SECOND;
}

/* Resource usage and counters up to a time. */
struct look {
  int64_t nanos;
  double session_cpu_s, process_cpu_s, throttled_s[OPTIONS_MAX_GROUPS];
  struct machine machine;
  bool known, counted;
  struct engine_waits waits;
};

/* `used`: the cores that the sessions may use. */
static struct look look(const struct run *run, const struct session *sessions,
                        const cpu_set_t *used) {
  struct look now = {.nanos = now_nanos()};
  now.session_cpu_s = sessions_cpu_seconds(run, sessions);
  now.process_cpu_s = (double)clock_nanos(CLOCK_PROCESS_CPUTIME_ID) / NANOS_PER_SECOND;
  now.known = machine_now(used, &now.machine) == 0;
  throttled_now(run->options->cpu_stats, run->options->groups, now.throttled_s);
  now.counted = engine_waits(&now.waits);
  return now;
}

/* Resource usage and counters between two samples. On the cores of confined sessions, CPU time of
 * all other threads is foreign: it disturbs them wherever it comes from. On all cores that this
 * process may use, that of other processes is. */
static void account(const struct options *options, const struct look *from, const struct look *to,
                    struct outcome *outcome) {
  outcome->session_cpu_s = to->session_cpu_s - from->session_cpu_s;
  outcome->process_cpu_s = to->process_cpu_s - from->process_cpu_s;
  outcome->steal_s = to->known ? to->machine.steal_s - from->machine.steal_s : NAN;
  double wall = (double)(to->nanos - from->nanos) / NANOS_PER_SECOND;
  double busy = wall * to->machine.cpus - (to->machine.idle_s - from->machine.idle_s);
  double own = options->cores > 0 ? outcome->session_cpu_s : outcome->process_cpu_s;
  outcome->foreign_cpu_s = to->known ? fmax(0, busy - outcome->steal_s - own) : NAN;
  outcome->throttled_s = throttled_most(from->throttled_s, to->throttled_s, options->groups);
  outcome->counted = to->counted;
  outcome->waits = (struct engine_waits){.waits = to->waits.waits - from->waits.waits,
                                         .checks = to->waits.checks - from->waits.checks,
                                         .nanos = to->waits.nanos - from->waits.nanos,
                                         .stalls = to->waits.stalls - from->waits.stalls};
}

/* The measured window; priorities are raised in [from-ms, to-ms) of it, or throughout. */
static int window(const struct run *run, const struct session *sessions, const cpu_set_t *used,
                  int before, struct outcome *outcome) {
  const struct options *options = run->options;
  bool late = options->boost > 0 && options->from_ms >= 0;
  bool ends = options->boost > 0 && options->to_ms >= 0;
  int error = 0;
  sleep_until(run->from);
  struct look start = look(run, sessions, used);
  if (late) {
    sleep_until(run->from + options->from_ms * NANOS_PER_MILLI);
    error = prioritize(run, sessions, options->nice);
    outcome->boosted_from = window_seconds(run, now_nanos());
  } else if (options->boost > 0) {
    outcome->boosted_from = 0;
  }
  if (error == 0 && ends) {
    sleep_until(run->from + options->to_ms * NANOS_PER_MILLI);
    error = prioritize(run, sessions, before);
    outcome->boosted_to = window_seconds(run, now_nanos());
  } else if (options->boost > 0) {
    outcome->boosted_to = window_seconds(run, run->to);
  }
  sleep_until(run->to);
  struct look end = look(run, sessions, used);
  account(options, &start, &end, outcome);
  return error;
}

int control(struct run *run, struct session *sessions, struct outcome *outcome) {
  const struct options *options = run->options;
  *outcome = (struct outcome){.boosted_from = NAN, .boosted_to = NAN};
  (void)pthread_barrier_wait(&run->barrier);
  cpu_set_t all, used;
  CPU_ZERO(&all);
  CPU_ZERO(&used);
  int before = 0;
  int error = allowed_cpus(&all);
  error = error != 0 ? error : get_nice(sessions[0].thread_id, &before);
  if (error != 0) {
    complain("look at a session", error);
  }
  if (error == 0) {
    used = options->cores > 0 ? last_cpus(&all, options->cores) : all;
  }
  if (error == 0 && options->cores > 0) {
    error = confine(run, sessions, &used);
  }
  /* A controller that had to wait for the CPU like the sessions would end the window too late. */
  if (error == 0 && options->boost > 0 && (error = set_nice(thread_id(), -20)) != 0) {
    error = complain("raise the controller's priority", error);
  }
  if (error == 0 && options->from_ms < 0) {
    error = prioritize(run, sessions, options->nice);
  }
  int64_t now = now_nanos();
  run->warm_from = now + LAUNCH_NANOS;
  /* An empty span: the sessions return at once. */
  run->from = error == 0 ? run->warm_from + options->warm_ms * NANOS_PER_MILLI : now;
  run->to = error == 0 ? run->from + options->run_ms * NANOS_PER_MILLI : now;
  (void)pthread_barrier_wait(&run->barrier);
  if (error == 0) {
    error = window(run, sessions, &used, before, outcome);
  }
  int restored = prioritize(run, sessions, before);
  if (options->cores > 0) {
    restored = confine(run, sessions, &all) != 0 ? -1 : restored;
  }
  (void)pthread_barrier_wait(&run->barrier);
  return error != 0 ? -1 : restored;
}
