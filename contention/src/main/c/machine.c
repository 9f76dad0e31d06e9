/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Idle time is exact to the microsecond inside the kernel; busy time is a sample of ticks. So the
 * usage of others is computed from the time that was not idle. */
int machine_parse(const char *text, const cpu_set_t *cores, struct machine *machine) {
  double ticks = (double)sysconf(_SC_CLK_TCK);
  *machine = (struct machine){0};
  for (const char *line = text; (line = strstr(line, "\ncpu")) != NULL; line++) {
    size_t core;
    double idle, iowait, steal;
    if (sscanf(line, "\ncpu%zu %*f %*f %*f %lf %lf %*f %*f %lf", &core, &idle, &iowait, &steal) !=
        4) {
      return -1;
    }
    if (core < CPU_SETSIZE && CPU_ISSET(core, cores)) {
      machine->idle_s += (idle + iowait) / ticks;
      machine->steal_s += steal / ticks;
      machine->cpus++;
    }
  }
  return machine->cpus > 0 && machine->cpus == CPU_COUNT(cores) ? 0 : -1;
}

/* The whole text of a file, for free(); NULL if it cannot be read. No file in /proc or /sys that is
 * read here has a zero byte. */
static char *whole_text(const char *name) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = fopen(name, "r");
  if (file == NULL) {
    return NULL;
  }
  if (getdelim(&text, &size, '\0', file) < 0) {
    free(text);
    text = NULL;
  }
  (void)fclose(file);
  return text;
}

int machine_read(const char *file, const cpu_set_t *cores, struct machine *machine) {
  *machine = (struct machine){0};
  char *text = whole_text(file);
  int error = text == NULL ? -1 : machine_parse(text, cores, machine);
  free(text);
  return error;
}

int machine_now(const cpu_set_t *cores, struct machine *machine) {
  return machine_read("/proc/stat", cores, machine);
}

double throttled_parse(const char *text) {
  static const struct {
    const char *name; /* in version 2 and 1 of control groups */
    double per_second;
  } counters[] = {{"throttled_usec ", 1e6}, {"throttled_time ", 1e9}};
  for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
    const char *found = strstr(text, counters[i].name);
    double count;
    if (found != NULL && sscanf(found + strlen(counters[i].name), "%lf", &count) == 1) {
      return count / counters[i].per_second;
    }
  }
  return NAN;
}

void throttled_now(const char *const *files, int count, double *seconds) {
  for (int i = 0; i < count; i++) {
    char *text = whole_text(files[i]);
    seconds[i] = text == NULL ? NAN : throttled_parse(text);
    free(text);
  }
}

double throttled_most(const double *from, const double *to, int count) {
  double most = NAN;
  for (int i = 0; i < count; i++) {
    most = fmax(most, to[i] - from[i]);
  }
  return most;
}
