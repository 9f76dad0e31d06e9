/* SPDX-License-Identifier: Apache-2.0 */
#include "session.h"

#include "clock.h"
#include "priority.h"

#include <stdlib.h>
#include <sys/prctl.h>

int session_init(struct session *session, struct run *run, int index) {
  *session = (struct session){.run = run, .index = index};
  session->chance = chance_of(run->options->seed, (uint64_t)index);
  session->seconds = calloc((size_t)run->seconds, sizeof *session->seconds);
  int error = session->seconds == NULL ? -1 : histogram_fine(&session->nanos);
  for (int i = 0; error == 0 && i < run->seconds; i++) {
    error = histogram_coarse(&session->seconds[i].nanos);
  }
  return error != 0 ? error : engine_session_open(run->engine, &session->handle);
}

void session_free(struct session *session) {
  histogram_free(&session->nanos);
  for (int i = 0; session->seconds != NULL && i < session->run->seconds; i++) {
    histogram_free(&session->seconds[i].nanos);
  }
  free(session->seconds);
  if (session->handle != NULL) {
    engine_session_free(session->handle);
  }
}

/* A key of all keys, or of this session's part. */
static int64_t next_key(struct session *session) {
  const struct options *options = session->run->options;
  int64_t first = 0;
  uint64_t count = (uint64_t)options->records;
  if (!options->shared_keys) {
    count /= (uint64_t)options->threads;
    first = session->index * (int64_t)count;
  }
  uint64_t rank = options->zipf > 0 ? zipf_next(&session->run->zipf, &session->chance)
                                    : chance_bits(&session->chance) % count;
  /* Popular keys must not be neighbours on one page. The multiplier is prime and above all counts,
   * so that the ranks stay distinct. */
  return first + (int64_t)(rank * UINT64_C(2654435761) % count);
}

enum fate { ANSWERED, FAILED, UNFINISHED };

/* One operation. It is repeated after a conflict, without a pause as in an application that does
 * so, and given up at the end of the window: while a session of higher priority repeats it, the
 * session in its way may get no core to commit. */
static enum fate operate(struct session *session) {
  const struct options *options = session->run->options;
  int64_t key = next_key(session);
  bool read = options->reads > 0 && chance_unit(&session->chance) < options->reads;
  uint64_t stamp = chance_bits(&session->chance);
  if (options->limit > 0) {
    while (sem_wait(&session->run->admitted) != 0) {
    }
  }
  int code;
  for (;;) {
    code = read ? engine_read(session->handle, key) : engine_update(session->handle, key, stamp);
    if (code != ENGINE_CONFLICT || now_nanos() >= session->run->to) {
      break;
    }
    session->retries++;
  }
  if (options->limit > 0) {
    (void)sem_post(&session->run->admitted);
  }
  if (code == ENGINE_CONFLICT) {
    return UNFINISHED;
  }
  if (code != 0) {
    session->failed++;
    session->error = code;
    return FAILED;
  }
  return ANSWERED;
}

static struct second *second_of(struct session *session, int64_t nanos) {
  return &session->seconds[(nanos - session->run->from) / NANOS_PER_SECOND];
}

/* Records an operation with its intended start and its end, or the time it was given up. */
static void record(struct session *session, int64_t intended, int64_t ended, enum fate fate) {
  const struct run *run = session->run;
  if (fate == ANSWERED && ended >= run->from && ended < run->to) {
    session->answered++;
    second_of(session, ended)->answered++;
  }
  if (intended >= run->from) {
    session->count++;
    session->unfinished += fate == UNFINISHED ? 1 : 0;
    histogram_record(&session->nanos, ended - intended);
    histogram_record(&second_of(session, intended)->nanos, ended - intended);
  }
}

/* Starts form a Poisson process, independent of earlier operations. */
static void open_loop(struct session *session) {
  const struct run *run = session->run;
  double gap = (double)NANOS_PER_SECOND * run->options->threads / run->options->rate;
  double intended = (double)run->warm_from;
  int64_t ended = now_nanos();
  for (;;) {
    intended += chance_exponential(&session->chance, gap);
    int64_t start = (int64_t)intended;
    if (start >= run->to) {
      return;
    }
    if (ended >= run->to) {
      record(session, start, run->to, UNFINISHED);
      continue;
    }
    if (start > ended) {
      sleep_until(start);
    }
    enum fate fate = operate(session);
    ended = now_nanos();
    record(session, start, ended, fate);
  }
}

/* As many operations as possible; each starts when the previous one has ended. */
static void closed_loop(struct session *session) {
  const struct run *run = session->run;
  sleep_until(run->warm_from);
  for (int64_t start = now_nanos(); start < run->to;) {
    enum fate fate = operate(session);
    int64_t ended = now_nanos();
    record(session, start, ended, fate);
    start = ended;
  }
}

void *session_main(void *argument) {
  struct session *session = argument;
  struct run *run = session->run;
  session->thread_id = thread_id();
  /* Otherwise the kernel extends sleeps by 50 us. */
  (void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  (void)pthread_barrier_wait(&run->barrier);
  (void)pthread_barrier_wait(&run->barrier);
  if (run->options->rate > 0) {
    open_loop(session);
  } else {
    closed_loop(session);
  }
  (void)pthread_barrier_wait(&run->barrier);
  return NULL;
}
