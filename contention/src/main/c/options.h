/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a run: key=value arguments. */
#ifndef MANX_OPTIONS_H
#define MANX_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define OPTIONS_MAX_THREADS 512
/* Nested control groups with a quota. */
#define OPTIONS_MAX_GROUPS 32

struct options {
  const char *home; /* a new or empty folder for the engine's files */
  const char *out;  /* a folder for summary.json, seconds.csv and latency.txt */
  const char *cpu_stats[OPTIONS_MAX_GROUPS]; /* cpu.stat of each control group that limits it */
  int groups;
  int threads;      /* sessions, one thread each */
  int64_t records;
  int64_t value_bytes;
  int64_t cache_mb;  /* largest size of the engine's cache */
  double reads;      /* share of operations that only read: 0.5 in YCSB A, 0.95 in B */
  bool shared_keys;  /* all sessions use all keys; else each has its own part */
  double zipf;       /* exponent in (0, 1); 0 is uniform */
  double rate;       /* operations a second of all sessions (open loop); 0 is closed loop */
  int64_t warm_ms;   /* before the measured window */
  int64_t run_ms;    /* the measured window */
  int cores;         /* sessions may use only this many; 0 for all */
  int boost;         /* sessions whose priority is raised */
  int nice;          /* their nice level */
  int64_t from_ms;   /* start of the boost, from the start of the window; -1: of the load */
  int64_t to_ms;     /* its end; -1: end of the window */
  int limit;         /* sessions inside the engine at a time; 0 for no limit */
  uint64_t seed;
};

/* Reads the arguments. Returns 0, or -1 after one line on standard error with the reason. */
int options_parse(int count, char **arguments, struct options *options);

#endif
