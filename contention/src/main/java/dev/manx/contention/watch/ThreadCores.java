/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import dev.manx.contention.proc.CpuList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cores that threads may use. Confined to one thread. */
final class ThreadCores {
  private final Map<Integer, Double> idle;
  private final Map<String, Set<Integer>> parsed = new HashMap<>();

  /** Knows the idle fraction of each core of the machine; a core without one is offline. */
  ThreadCores(Map<Integer, Double> idle) {
    this.idle = idle;
  }

  /** The online cores that a thread may use; all of its list if no core of the machine is known. */
  Set<Integer> of(ThreadUse thread) {
    return parsed.computeIfAbsent(thread.now().cpus(), this::online);
  }

  private Set<Integer> online(String list) {
    Set<Integer> cores = new HashSet<>(list.isEmpty() ? List.of() : CpuList.parse(list));
    if (!idle.isEmpty()) {
      cores.retainAll(idle.keySet());
    }
    return cores;
  }

  /** The online cores that some threads may use together. */
  Set<Integer> of(Collection<ThreadUse> threads) {
    Set<Integer> all = new HashSet<>();
    threads.forEach(thread -> all.addAll(of(thread)));
    return all;
  }

  /** Whether two threads may run on the same core. */
  boolean shared(ThreadUse one, ThreadUse other) {
    return !Collections.disjoint(of(one), of(other));
  }

  /** Mean idle fraction of some cores; NaN if unknown. */
  double idle(Set<Integer> cores) {
    return cores.stream()
        .filter(idle::containsKey)
        .mapToDouble(idle::get)
        .average()
        .orElse(Double.NaN);
  }
}
