/* SPDX-License-Identifier: Apache-2.0 */
/* WiredTiger behind engine.h, through its public interface: works with any version. */
#include "engine.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wiredtiger.h>

#define TABLE "table:records"

struct engine {
  WT_CONNECTION *connection;
};

struct engine_session {
  WT_SESSION *session;
  WT_CURSOR *cursor;
  int64_t value_bytes;
  char *value;
};

int engine_open(const char *home, int sessions, int64_t cache_mb, struct engine **engine) {
  char config[160];
  /* No log and no checkpoint: nothing but transactions in memory is measured. */
  (void)snprintf(config, sizeof config,
                 "create,cache_size=%" PRId64
                 "MB,session_max=%d,log=(enabled=false),statistics=(none)",
                 cache_mb, sessions + 64);
  struct engine *made = calloc(1, sizeof *made);
  int code = made == NULL ? WT_ERROR : wiredtiger_open(home, NULL, config, &made->connection);
  if (code != 0) {
    free(made);
    return code;
  }
  *engine = made;
  return 0;
}

static int load(WT_SESSION *session, int64_t count, int64_t value_bytes, char *value) {
  int code = session->create(session, TABLE, "key_format=q,value_format=u");
  WT_CURSOR *cursor = NULL;
  if (code == 0) {
    code = session->open_cursor(session, TABLE, NULL, NULL, &cursor);
  }
  for (int64_t key = 0; code == 0 && key < count; key++) {
    WT_ITEM item = {.data = value, .size = (size_t)value_bytes};
    (void)snprintf(value, (size_t)value_bytes, "%07" PRIx64, (uint64_t)key & 0xfffffff);
    cursor->set_key(cursor, key);
    cursor->set_value(cursor, &item);
    code = cursor->insert(cursor);
  }
  return code;
}

int engine_load(struct engine *engine, int64_t count, int64_t value_bytes) {
  WT_SESSION *session;
  int code = engine->connection->open_session(engine->connection, NULL, NULL, &session);
  if (code != 0) {
    return code;
  }
  char *value = calloc(1, (size_t)value_bytes);
  code = value == NULL ? WT_ERROR : load(session, count, value_bytes, value);
  free(value);
  int closed = session->close(session, NULL);
  return code != 0 ? code : closed;
}

int engine_session_open(struct engine *engine, struct engine_session **session) {
  struct engine_session *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return WT_ERROR;
  }
  int code = engine->connection->open_session(engine->connection, NULL, "isolation=snapshot",
                                              &made->session);
  if (code == 0) {
    code = made->session->open_cursor(made->session, TABLE, NULL, NULL, &made->cursor);
  }
  *session = made;
  return code;
}

/* A copy of the value of a key, with a stamp in front. */
static int changed(struct engine_session *session, int64_t key, uint64_t stamp, WT_ITEM *item) {
  WT_CURSOR *cursor = session->cursor;
  cursor->set_key(cursor, key);
  int code = cursor->search(cursor);
  if (code == 0) {
    code = cursor->get_value(cursor, item);
  }
  if (code != 0) {
    return code;
  }
  if ((int64_t)item->size > session->value_bytes) {
    char *larger = realloc(session->value, item->size);
    if (larger == NULL) {
      return WT_ERROR;
    }
    session->value = larger;
    session->value_bytes = (int64_t)item->size;
  }
  memcpy(session->value, item->data, item->size);
  memcpy(session->value, &stamp, item->size < sizeof stamp ? item->size : sizeof stamp);
  item->data = session->value;
  return 0;
}

static int update(struct engine_session *session, int64_t key, uint64_t stamp) {
  WT_SESSION *own = session->session;
  WT_CURSOR *cursor = session->cursor;
  int code = own->begin_transaction(own, NULL);
  if (code != 0) {
    return code;
  }
  WT_ITEM item;
  code = changed(session, key, stamp, &item);
  if (code == 0) {
    cursor->set_key(cursor, key);
    cursor->set_value(cursor, &item);
    code = cursor->update(cursor);
  }
  int reset = cursor->reset(cursor);
  if (code == 0) {
    code = reset;
  }
  if (code == 0) {
    return own->commit_transaction(own, NULL);
  }
  int undone = own->rollback_transaction(own, NULL);
  return undone != 0 ? undone : code;
}

static int known(int code) { return code == WT_ROLLBACK ? ENGINE_CONFLICT : code; }

int engine_update(struct engine_session *session, int64_t key, uint64_t stamp) {
  return known(update(session, key, stamp));
}

int engine_read(struct engine_session *session, int64_t key) {
  WT_SESSION *own = session->session;
  int code = own->begin_transaction(own, NULL);
  if (code != 0) {
    return code;
  }
  WT_ITEM item;
  code = changed(session, key, 0, &item);
  int reset = session->cursor->reset(session->cursor);
  int ended = own->commit_transaction(own, NULL);
  return known(code != 0 ? code : reset != 0 ? reset : ended);
}

void engine_session_free(struct engine_session *session) {
  free(session->value);
  free(session);
}

int engine_close(struct engine *engine) {
  int code = engine->connection->close(engine->connection, NULL);
  free(engine);
  return code;
}

const char *engine_name(void) { return wiredtiger_version(NULL, NULL, NULL); }

const char *engine_error(int code) { return wiredtiger_strerror(code); }

bool engine_waits(struct engine_waits *waits) {
  /* Only a patched library has it. POSIX guarantees the conversion; ISO C forbids it. */
  void *symbol = dlsym(RTLD_DEFAULT, "manx_wait_counters");
  if (symbol == NULL) {
    return false;
  }
  void (*counters)(uint64_t *);
  memcpy(&counters, &symbol, sizeof counters);
  uint64_t values[4];
  counters(values);
  *waits = (struct engine_waits){values[0], values[1], values[2], values[3]};
  return true;
}
