/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Idle time is exact to the microsecond inside the kernel; busy time is a sample of ticks. So what
 * the usage of others is computed from the time that was not idle. */
int machine_parse(const char *text, struct machine *machine) {
  double idle, iowait, steal;
  if (sscanf(text, "cpu %*f %*f %*f %lf %lf %*f %*f %lf", &idle, &iowait, &steal) != 3) {
    return -1;
  }
  double ticks = (double)sysconf(_SC_CLK_TCK);
  *machine = (struct machine){.idle_s = (idle + iowait) / ticks, .steal_s = steal / ticks};
  for (const char *line = text; (line = strstr(line, "\ncpu")) != NULL; line++) {
    machine->cpus++;
  }
  return machine->cpus > 0 ? 0 : -1;
}

int machine_now(struct machine *machine) {
  char text[65536];
  FILE *file = fopen("/proc/stat", "r");
  if (file == NULL) {
    return -1;
  }
  size_t length = fread(text, 1, sizeof text - 1, file);
  (void)fclose(file);
  text[length] = '\0';
  return machine_parse(text, machine);
}
