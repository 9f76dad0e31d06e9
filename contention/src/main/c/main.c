/* SPDX-License-Identifier: Apache-2.0 */
/* One repetition of the contention experiment: sessions on an engine, confined and prioritized. */
#include "clock.h"
#include "controller.h"
#include "priority.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Exit codes. */
enum { FINE = 0, FAILED = 1, BAD_USAGE = 2, NOT_PERMITTED = 77 };

/* A session that spins for ever must not hang the experiment: the kernel ends us this long after
 * the planned end of the run. */
#define PATIENCE_SECONDS 60

static int engine_failed(const char *what, int code) {
  fprintf(stderr, "driver: %s: %s\n", what, engine_error(code));
  return FAILED;
}

/* The process that started us holds the other end of our standard input. When it has ended, by
 * whatever signal, no one is left to measure for: we end too. Input that is no pipe never ends. */
static void *end_with_starter(void *unused) {
  (void)unused;
  struct pollfd input = {.fd = STDIN_FILENO};
  while (poll(&input, 1, -1) < 0 && errno == EINTR) {
  }
  if ((input.revents & POLLHUP) != 0) {
    _exit(FAILED);
  }
  return NULL;
}

static int watch_starter(void) {
  pthread_t thread;
  int error = pthread_create(&thread, NULL, end_with_starter, NULL);
  error = error != 0 ? error : pthread_detach(thread);
  if (error != 0) {
    fprintf(stderr, "driver: cannot start a thread: %s\n", strerror(error));
  }
  return error;
}

static int may_prioritize(const struct options *options) {
  if (options->boost == 0) {
    return FINE;
  }
  int error = try_nice(-20);
  if (error == 0) {
    error = try_nice(options->nice);
  }
  if (error == 0) {
    return FINE;
  }
  fprintf(stderr,
          "driver: may not raise priorities (nice -20): %s. Run as root, or permit it to your"
          " shell: sudo prlimit --nice=40 --pid $$; in a container: --cap-add SYS_NICE\n",
          strerror(error));
  return NOT_PERMITTED;
}

/* Starts the threads, runs them and collects their results. */
static int run_sessions(struct run *run, struct session *sessions) {
  int threads = run->options->threads;
  (void)pthread_barrier_init(&run->barrier, NULL, (unsigned)threads + 1);
  for (int i = 0; i < threads; i++) {
    int error = pthread_create(&sessions[i].thread, NULL, session_main, &sessions[i]);
    if (error != 0) {
      /* The threads that exist wait at the barrier; ending the process ends them. */
      fprintf(stderr, "driver: cannot start thread %d: %s\n", i, strerror(error));
      exit(FAILED);
    }
  }
  struct outcome outcome;
  int error = control(run, sessions, &outcome);
  for (int i = 0; i < threads; i++) {
    (void)pthread_join(sessions[i].thread, NULL);
  }
  (void)pthread_barrier_destroy(&run->barrier);
  return error != 0 || outcome_write(run, sessions, &outcome) != 0 ? FAILED : FINE;
}

static int with_sessions(struct run *run) {
  const struct options *options = run->options;
  struct session *sessions = calloc((size_t)options->threads, sizeof *sessions);
  if (sessions == NULL) {
    return FAILED;
  }
  int code = 0;
  int made = 0;
  while (code == 0 && made < options->threads) {
    code = session_init(&sessions[made], run, made);
    made++;
  }
  int result = code != 0 ? engine_failed("cannot open a session", code) : run_sessions(run, sessions);
  for (int i = 0; i < made; i++) {
    session_free(&sessions[i]);
  }
  free(sessions);
  return result;
}

int main(int count, char **arguments) {
  struct options options;
  if (options_parse(count - 1, arguments + 1, &options) != 0) {
    return BAD_USAGE;
  }
  int permitted = may_prioritize(&options);
  if (permitted != FINE) {
    return permitted;
  }
  if (watch_starter() != 0) {
    return FAILED;
  }
  struct run run = {.options = &options,
                    .seconds = (int)((options.run_ms + 999) / 1000)};
  uint64_t part = (uint64_t)options.records;
  part /= options.shared_keys ? 1 : (uint64_t)options.threads;
  if (options.zipf > 0) {
    run.zipf = zipf_of(part, options.zipf);
  }
  if (options.limit > 0 && sem_init(&run.admitted, 0, (unsigned)options.limit) != 0) {
    fprintf(stderr, "driver: cannot make a semaphore: %s\n", strerror(errno));
    return FAILED;
  }
  int code = engine_open(options.home, options.threads, options.cache_mb, &run.engine);
  if (code != 0) {
    return engine_failed("cannot open the engine", code);
  }
  code = engine_load(run.engine, options.records, options.value_bytes);
  (void)alarm((unsigned)((options.warm_ms + options.run_ms) / 1000) + PATIENCE_SECONDS);
  int result = code != 0 ? engine_failed("cannot load records", code) : with_sessions(&run);
  /* The sessions have ended; writing many records at the end may take longer. */
  (void)alarm(0);
  code = engine_close(run.engine);
  return code != 0 && result == FINE ? engine_failed("cannot close the engine", code) : result;
}
