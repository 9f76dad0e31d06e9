/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { TEXT, GROUP, FLAG, INT, LONG, NUMBER };

struct key {
  const char *name;
  enum kind kind;
  size_t offset;
  double lowest, highest;
};

#define KEY(name, kind, field, lowest, highest)                                                    \
  { name, kind, offsetof(struct options, field), lowest, highest }

static const struct key KEYS[] = {
    KEY("home", TEXT, home, 0, 0),
    KEY("out", TEXT, out, 0, 0),
    KEY("cpu-stat", GROUP, cpu_stats, 0, 0),
    KEY("threads", INT, threads, 1, OPTIONS_MAX_THREADS),
    KEY("records", LONG, records, 1, 1e8),
    KEY("value-bytes", LONG, value_bytes, 8, 1 << 20),
    KEY("cache-mb", LONG, cache_mb, 1, 10 << 20),
    KEY("reads", NUMBER, reads, 0, 1),
    KEY("shared-keys", FLAG, shared_keys, 0, 1),
    KEY("zipf", NUMBER, zipf, 0, 0.999),
    KEY("rate", NUMBER, rate, 0, 1e7),
    KEY("warm-ms", LONG, warm_ms, 0, 600000),
    KEY("run-ms", LONG, run_ms, 100, 600000),
    KEY("cores", INT, cores, 0, 1024),
    KEY("boost", INT, boost, 0, OPTIONS_MAX_THREADS),
    KEY("nice", INT, nice, -20, 19),
    KEY("from-ms", LONG, from_ms, -1, 600000),
    KEY("to-ms", LONG, to_ms, -1, 600000),
    KEY("limit", INT, limit, 0, OPTIONS_MAX_THREADS),
    /* 53 bits: every whole number up to this one is exact as a double. */
    KEY("seed", LONG, seed, 0, 9007199254740991),
};
#define KEY_COUNT (sizeof KEYS / sizeof *KEYS)

static int refuse(const char *argument, const char *allowed) {
  fprintf(stderr, "driver: %s is refused; allowed: %s\n", argument, allowed);
  return -1;
}

static int refuse_range(const char *argument, const struct key *key) {
  char allowed[96];
  (void)snprintf(allowed, sizeof allowed, "%s from %.15g to %.15g",
                 key->kind == NUMBER ? "a number" : "a whole number", key->lowest, key->highest);
  return refuse(argument, allowed);
}

static int add_group(const char *argument, const char *file, struct options *options) {
  if (options->groups == OPTIONS_MAX_GROUPS || *file == '\0') {
    return refuse(argument, "at most 32 files");
  }
  options->cpu_stats[options->groups++] = file;
  return 0;
}

static int set(const struct key *key, const char *argument, char *text, struct options *options) {
  void *field = (char *)options + key->offset;
  if (key->kind == GROUP) {
    return add_group(argument, text, options);
  }
  if (key->kind == TEXT) {
    *(const char **)field = text;
    return *text == '\0' ? refuse(argument, "the name of a file or folder") : 0;
  }
  char *end = text;
  errno = 0;
  double value = strtod(text, &end);
  bool whole = key->kind == NUMBER || value == floor(value);
  if (errno != 0 || end == text || *end != '\0' || !whole || !(value >= key->lowest) ||
      !(value <= key->highest)) {
    return refuse_range(argument, key);
  }
  switch (key->kind) {
  case FLAG:
    *(bool *)field = value != 0;
    break;
  case INT:
    *(int *)field = (int)value;
    break;
  case LONG:
    *(int64_t *)field = (int64_t)value;
    break;
  case NUMBER:
    *(double *)field = value;
    break;
  case TEXT:
  case GROUP:
    break;
  }
  return 0;
}

static int parse_one(char *argument, struct options *options) {
  char *equals = strchr(argument, '=');
  if (equals == NULL) {
    return refuse(argument, "key=value");
  }
  size_t length = (size_t)(equals - argument);
  for (size_t i = 0; i < KEY_COUNT; i++) {
    if (strlen(KEYS[i].name) == length && strncmp(argument, KEYS[i].name, length) == 0) {
      return set(&KEYS[i], argument, equals + 1, options);
    }
  }
  fprintf(stderr, "driver: %s is refused; there is no such key, but", argument);
  for (size_t i = 0; i < KEY_COUNT; i++) {
    fprintf(stderr, " %s", KEYS[i].name);
  }
  fputc('\n', stderr);
  return -1;
}

static int check(const struct options *options) {
  if (options->home == NULL || options->out == NULL) {
    return refuse("no home= or no out=", "the names of two folders");
  }
  if (options->boost > options->threads) {
    return refuse("boost above threads", "at most all sessions");
  }
  if (!options->shared_keys && options->records < options->threads) {
    return refuse("records below threads", "a key for each session, or shared-keys=1");
  }
  if (options->to_ms >= 0 && options->from_ms > options->to_ms) {
    return refuse("from-ms after to-ms", "from-ms before to-ms");
  }
  return 0;
}

int options_parse(int count, char **arguments, struct options *options) {
  *options = (struct options){.threads = 8,
                              .records = 20000,
                              .value_bytes = 100,
                              .cache_mb = 512,
                              .rate = 1000,
                              .warm_ms = 500,
                              .run_ms = 3000,
                              .nice = -20,
                              .from_ms = -1,
                              .to_ms = -1,
                              .seed = 1};
  for (int i = 0; i < count; i++) {
    if (parse_one(arguments[i], options) != 0) {
      return -1;
    }
  }
  return check(options);
}
