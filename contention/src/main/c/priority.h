/* SPDX-License-Identifier: Apache-2.0 */
/* Nice levels and allowed CPUs of single threads. */
#ifndef MANX_PRIORITY_H
#define MANX_PRIORITY_H

#include <sched.h>
#include <sys/types.h>

/* The calling thread's id, as in /proc/self/task. */
pid_t thread_id(void);

/* A thread's nice level. Returns 0 or an errno. */
int get_nice(pid_t thread, int *nice);

/* Sets a thread's nice level and verifies it. Returns 0 or an errno. */
int set_nice(pid_t thread, int nice);

/* Whether the calling thread may use a nice level: sets it briefly. Returns 0 or an errno. */
int try_nice(int nice);

/* The CPUs that this process may use. Returns 0 or an errno. */
int allowed_cpus(cpu_set_t *cpus);

/* The last `cores` of some CPUs: interrupts are mostly served on the first. */
cpu_set_t last_cpus(const cpu_set_t *cpus, int cores);

/* Confines a thread to CPUs and verifies it. Returns 0 or an errno. */
int set_cpus(pid_t thread, const cpu_set_t *cpus);

#endif
