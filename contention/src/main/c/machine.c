/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"


#include <math.h>
#include <stdio.h>
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
    if (cores == NULL || (core < CPU_SETSIZE && CPU_ISSET(core, cores))) {
      machine->idle_s += (idle + iowait) / ticks;
      machine->steal_s += steal / ticks;
      machine->cpus++;
    }
  }
  return machine->cpus > 0 ? 0 : -1;
}

/* The text of a file, cut at the size; empty if it cannot be read. */
static void read_text(const char *name, char *text, size_t size) {
  FILE *file = fopen(name, "r");
  size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
  if (file != NULL) {
    (void)fclose(file);
  }
  text[length] = '\0';
}

int machine_now(const cpu_set_t *cores, struct machine *machine) {
  char text[65536];
  read_text("/proc/stat", text, sizeof text);
  return machine_parse(text, cores, machine);
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

double throttled_now(const char *file) {
  char text[4096] = "";
  if (file != NULL) {
    read_text(file, text, sizeof text);
  }
  return throttled_parse(text);
}
