/* SPDX-License-Identifier: Apache-2.0 */
/* Activity of the machine's cores. */
#ifndef MANX_MACHINE_H
#define MANX_MACHINE_H

#include <sched.h>

/* CPU time of some cores together since boot, in seconds. */
struct machine {
  double idle_s;  /* doing nothing, or waiting for I/O only */
  double steal_s; /* taken by other guests of the same host */
  int cpus;       /* number of these cores */
};

/* Reads the text of /proc/stat. Returns 0, or -1 if the format is unknown or it lacks one of the
 * cores: then it may number them otherwise, as in some containers. */
int machine_parse(const char *text, const cpu_set_t *cores, struct machine *machine);

/* Reads a file with such a text. Returns 0, or -1 if it is as above or cannot be read. */
int machine_read(const char *file, const cpu_set_t *cores, struct machine *machine);

/* The present values. Returns 0, or -1 if /proc/stat cannot be read or is as above. */
int machine_now(const cpu_set_t *cores, struct machine *machine);

/* Reads the text of a control group's cpu.stat: seconds in which its quota kept threads off their
 * cores, summed over cores. NaN if the format is unknown. */
double throttled_parse(const char *text);

/* The present values of some files; NaN for one that cannot be read. */
void throttled_now(const char *const *files, int count, double *seconds);

/* The largest increase of these values; NaN if none is known. Groups are nested, and any of them
 * may be the one that keeps the threads off their cores. */
double throttled_most(const double *from, const double *to, int count);

#endif
