/* SPDX-License-Identifier: Apache-2.0 */
#include "priority.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

pid_t thread_id(void) { return (pid_t)syscall(SYS_gettid); }

/* On Linux PRIO_PROCESS accepts a thread id, and changes only that thread. */
int get_nice(pid_t thread, int *nice) {
  errno = 0;
  *nice = getpriority(PRIO_PROCESS, (id_t)thread);
  return errno;
}

int set_nice(pid_t thread, int nice) {
  if (setpriority(PRIO_PROCESS, (id_t)thread, nice) != 0) {
    return errno;
  }
  int now;
  int error = get_nice(thread, &now);
  return error != 0 ? error : now == nice ? 0 : EPERM;
}

int try_nice(int nice) {
  pid_t self = thread_id();
  int before;
  int error = get_nice(self, &before);
  if (error == 0) {
    error = set_nice(self, nice);
  }
  return error != 0 ? error : set_nice(self, before);
}

int allowed_cpus(cpu_set_t *cpus) {
  return sched_getaffinity(0, sizeof *cpus, cpus) == 0 ? 0 : errno;
}

cpu_set_t last_cpus(const cpu_set_t *cpus, int cores) {
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  for (size_t cpu = CPU_SETSIZE; cpu > 0 && CPU_COUNT(&chosen) < cores; cpu--) {
    if (CPU_ISSET(cpu - 1, cpus)) {
      CPU_SET(cpu - 1, &chosen);
    }
  }
  return chosen;
}

int set_cpus(pid_t thread, const cpu_set_t *cpus) {
  if (sched_setaffinity(thread, sizeof *cpus, cpus) != 0) {
    return errno;
  }
  cpu_set_t now;
  if (sched_getaffinity(thread, sizeof now, &now) != 0) {
    return errno;
  }
  return CPU_EQUAL(&now, cpus) ? 0 : EPERM;
}
