/* SPDX-License-Identifier: Apache-2.0 */
#include "outcome.h"

#include "clock.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static FILE *create(const struct run *run, const char *name) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/%s", run->options->out, name);
  FILE *file = length < (int)sizeof path ? fopen(path, "w") : NULL;
  if (file == NULL) {
    fprintf(stderr, "driver: cannot write %s/%s: %s\n", run->options->out, name, strerror(errno));
  }
  return file;
}

/* Whether all of it reached the file. */
static int finish(const struct run *run, const char *name, FILE *file) {
  bool bad = ferror(file) != 0;
  if (fclose(file) != 0 || bad) {
    fprintf(stderr, "driver: cannot write %s/%s: %s\n", run->options->out, name, strerror(errno));
    return -1;
  }
  return 0;
}

static void number(FILE *file, const char *name, double value) {
  if (isnan(value)) {
    fprintf(file, "  \"%s\": null,\n", name);
  } else {
    fprintf(file, "  \"%s\": %.6f,\n", name, value);
  }
}

static void count(FILE *file, const char *name, uint64_t value) {
  fprintf(file, "  \"%s\": %" PRIu64 ",\n", name, value);
}

static int summary(const struct run *run, const struct session *sessions,
                   const struct outcome *outcome) {
  FILE *file = create(run, "summary.json");
  if (file == NULL) {
    return -1;
  }
  struct session sum = {0};
  for (int i = 0; i < run->options->threads; i++) {
    sum.count += sessions[i].count;
    sum.answered += sessions[i].answered;
    sum.unfinished += sessions[i].unfinished;
    sum.failed += sessions[i].failed;
    sum.retries += sessions[i].retries;
    sum.error = sessions[i].error != 0 ? sessions[i].error : sum.error;
  }
  fprintf(file, "{\n");
  count(file, "count", sum.count);
  count(file, "answered", sum.answered);
  count(file, "unfinished", sum.unfinished);
  count(file, "failed", sum.failed);
  count(file, "retries", sum.retries);
  number(file, "window_s", (double)(run->to - run->from) / NANOS_PER_SECOND);
  number(file, "session_cpu_s", outcome->session_cpu_s);
  number(file, "process_cpu_s", outcome->process_cpu_s);
  number(file, "foreign_cpu_s", outcome->foreign_cpu_s);
  number(file, "steal_s", outcome->steal_s);
  number(file, "throttled_s", outcome->throttled_s);
  number(file, "boosted_from_s", outcome->boosted_from);
  number(file, "boosted_to_s", outcome->boosted_to);
  if (outcome->counted) {
    count(file, "waits", outcome->waits.waits);
    count(file, "wait_checks", outcome->waits.checks);
    number(file, "wait_s", (double)outcome->waits.nanos / NANOS_PER_SECOND);
    count(file, "stalls", outcome->waits.stalls);
  }
  fprintf(file, "  \"error\": \"%s\",\n", sum.error == 0 ? "" : engine_error(sum.error));
  fprintf(file, "  \"engine\": \"%s\"\n}\n", engine_name());
  return finish(run, "summary.json", file);
}

static int seconds(const struct run *run, const struct session *sessions) {
  FILE *file = create(run, "seconds.csv");
  if (file == NULL) {
    return -1;
  }
  fprintf(file, "t_s,count,answered,mean_us,p50_us,p99_us,p999_us,max_us\n");
  struct histogram all;
  for (int second = 0; second < run->seconds; second++) {
    if (histogram_coarse(&all) != 0) {
      break;
    }
    uint64_t answered = 0;
    for (int i = 0; i < run->options->threads; i++) {
      histogram_add(&all, &sessions[i].seconds[second].nanos);
      answered += sessions[i].seconds[second].answered;
    }
    fprintf(file, "%d,%" PRIu64 ",%" PRIu64 ",%.3f", second, all.total, answered,
            histogram_mean(&all) / 1e3);
    static const double percentiles[] = {50, 99, 99.9, 100};
    for (size_t i = 0; i < sizeof percentiles / sizeof *percentiles; i++) {
      fprintf(file, ",%.3f", (double)histogram_percentile(&all, percentiles[i]) / 1e3);
    }
    fputc('\n', file);
    histogram_free(&all);
  }
  return finish(run, "seconds.csv", file);
}

static int latency(const struct run *run, const struct session *sessions) {
  struct histogram all;
  if (histogram_fine(&all) != 0) {
    fprintf(stderr, "driver: no memory for a histogram\n");
    return -1;
  }
  FILE *file = create(run, "latency.txt");
  if (file != NULL) {
    for (int i = 0; i < run->options->threads; i++) {
      histogram_add(&all, &sessions[i].nanos);
    }
    histogram_dump(&all, file);
  }
  histogram_free(&all);
  return file == NULL ? -1 : finish(run, "latency.txt", file);
}

int outcome_write(const struct run *run, const struct session *sessions,
                  const struct outcome *outcome) {
  int error = summary(run, sessions, outcome);
  error = seconds(run, sessions) != 0 ? -1 : error;
  return latency(run, sessions) != 0 ? -1 : error;
}
