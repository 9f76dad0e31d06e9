/* SPDX-License-Identifier: Apache-2.0 */
/* Activity of the whole machine. */
#ifndef MANX_MACHINE_H
#define MANX_MACHINE_H

/* CPU time of all cores together since boot, in seconds. */
struct machine {
  double idle_s;  /* doing nothing, or waiting for I/O only */
  double steal_s; /* taken by other guests of the same host */
  int cpus;
};

/* Reads the text of /proc/stat. Returns 0, or -1 if the format is unknown. */
int machine_parse(const char *text, struct machine *machine);

/* The present values. Returns 0, or -1 without a readable /proc/stat. */
int machine_now(struct machine *machine);

#endif
