/* SPDX-License-Identifier: Apache-2.0 */
/* An engine that is an array, for ThreadSanitizer, which can only judge code that it has compiled:
 * of WiredTiger's atomics it knows nothing. */
#include "engine.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

struct engine {
  pthread_mutex_t lock;
  uint64_t conflicts; /* left to report before an update succeeds, from the variable CONFLICTS */
  int64_t count;
  uint64_t *stamps;
};

struct engine_session {
  struct engine *engine;
};

int engine_open(const char *home, int sessions, int64_t cache_mb, struct engine **engine) {
  (void)home;
  (void)sessions;
  (void)cache_mb;
  *engine = calloc(1, sizeof **engine);
  if (*engine == NULL) {
    return -1;
  }
  const char *conflicts = getenv("CONFLICTS");
  (*engine)->conflicts = conflicts == NULL ? 0 : strtoull(conflicts, NULL, 10);
  return pthread_mutex_init(&(*engine)->lock, NULL);
}

int engine_load(struct engine *engine, int64_t count, int64_t value_bytes) {
  (void)value_bytes;
  engine->count = count;
  engine->stamps = calloc((size_t)count, sizeof *engine->stamps);
  return engine->stamps == NULL ? -1 : 0;
}

int engine_session_open(struct engine *engine, struct engine_session **session) {
  *session = calloc(1, sizeof **session);
  if (*session == NULL) {
    return -1;
  }
  (*session)->engine = engine;
  return 0;
}

static int access_record(struct engine_session *session, int64_t key, uint64_t *stamp, bool write) {
  struct engine *engine = session->engine;
  if (key < 0 || key >= engine->count) {
    return 2;
  }
  int code = 0;
  (void)pthread_mutex_lock(&engine->lock);
  if (write && engine->conflicts > 0) {
    engine->conflicts--;
    code = ENGINE_CONFLICT;
  } else if (write) {
    engine->stamps[key] = *stamp;
  } else {
    *stamp = engine->stamps[key];
  }
  (void)pthread_mutex_unlock(&engine->lock);
  return code;
}

int engine_read(struct engine_session *session, int64_t key) {
  uint64_t stamp;
  return access_record(session, key, &stamp, false);
}

int engine_update(struct engine_session *session, int64_t key, uint64_t stamp) {
  return access_record(session, key, &stamp, true);
}

void engine_session_free(struct engine_session *session) { free(session); }

int engine_close(struct engine *engine) {
  (void)pthread_mutex_destroy(&engine->lock);
  free(engine->stamps);
  free(engine);
  return 0;
}

const char *engine_name(void) { return "an array"; }

const char *engine_error(int code) { return code == 2 ? "no such record" : "no memory"; }

bool engine_waits(struct engine_waits *waits) {
  (void)waits;
  return false;
}
