/* SPDX-License-Identifier: Apache-2.0 */
/* A storage engine as the sessions see it. Functions return 0 or an errno-like code of the engine,
 * which engine_error() describes. */
#ifndef MANX_ENGINE_H
#define MANX_ENGINE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct engine;
struct engine_session;

/* Another transaction was in the way: the operation may be tried again. */
#define ENGINE_CONFLICT INT_MIN

/* Opens an engine with files in a new or empty folder; room for this many sessions, and for a cache
 * of at most this size. */
int engine_open(const char *home, int sessions, int64_t cache_mb, struct engine **engine);

/* Writes records 0..count-1 with values of a size; one thread. */
int engine_load(struct engine *engine, int64_t count, int64_t value_bytes);

/* Opens a session; it belongs to one thread at a time. */
int engine_session_open(struct engine *engine, struct engine_session **session);

/* Reads a record in its own transaction. Returns ENGINE_CONFLICT after a conflict. */
int engine_read(struct engine_session *session, int64_t key);

/* Reads a record, changes it and commits. Returns ENGINE_CONFLICT after a conflict, with nothing
 * changed. */
int engine_update(struct engine_session *session, int64_t key, uint64_t stamp);

/* Frees a session's memory; the engine's part is closed by engine_close(). */
void engine_session_free(struct engine_session *session);

/* Closes all sessions and files. */
int engine_close(struct engine *engine);

/* Name and version. */
const char *engine_name(void);

/* The meaning of a code. */
const char *engine_error(int code);

/* The engine's counters of waiting for transaction ids, if it was built with them. */
struct engine_waits {
  uint64_t waits;  /* times that a thread had to wait */
  uint64_t checks; /* repeated checks without success */
  uint64_t nanos;  /* total time of waiting */
  uint64_t stalls; /* waits of a millisecond or longer */
};

/* Whether the engine has these counters; if so, fills *waits. */
bool engine_waits(struct engine_waits *waits);

#endif
