/* SPDX-License-Identifier: Apache-2.0 */
/* One session: a thread that performs operations on the engine and records their latencies. */
#ifndef MANX_SESSION_H
#define MANX_SESSION_H

#include "chance.h"
#include "engine.h"
#include "histogram.h"
#include "options.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/types.h>

/* Results of one second of the measured window. */
struct second {
  struct histogram nanos; /* of operations intended to start in it */
  uint64_t answered;      /* operations that ended in it, whatever their intended start */
};

/* Data shared by all sessions of a run; written only while they wait at a barrier. */
struct run {
  const struct options *options;
  struct engine *engine;
  struct zipf zipf;
  sem_t admitted;            /* with a limit: how many more sessions may enter the engine */
  pthread_barrier_t barrier; /* met when ready, when released, and when measured */
  int64_t warm_from;         /* start of the load */
  int64_t from;              /* start of the measured window */
  int64_t to;                /* its end */
  int seconds;               /* begun seconds of the window */
};

/* One session. Until the last barrier, only it uses these fields, except `thread_id`. */
struct session {
  struct run *run;
  int index;
  pthread_t thread;
  pid_t thread_id;
  struct engine_session *handle;
  struct chance chance;
  struct histogram nanos; /* from intended start to end, of the window's operations */
  struct second *seconds;
  uint64_t count;      /* operations intended to start in the window */
  uint64_t answered;   /* operations that succeeded in the window */
  uint64_t unfinished; /* at its end not begun, or given up in a conflict; recorded with their
                          waiting time */
  uint64_t failed;
  uint64_t retries; /* of transactions that conflicted, warm-up included */
  int error;        /* the engine's code of the last failure */
};

/* Opens the session on the engine and makes its histograms. Returns 0 or the engine's code. */
int session_init(struct session *session, struct run *run, int index);

/* The thread's routine; takes a struct session. */
void *session_main(void *argument);

/* Frees the memory. */
void session_free(struct session *session);

#endif
