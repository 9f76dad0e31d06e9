/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.RunException;
import java.util.stream.IntStream;

/** The cores that this program and its children may use, regardless of a CPU quota. */
public final class UsableCores {
  private UsableCores() {}

  /** The number of these cores. */
  public static int count() {
    return Proc.process(ProcessHandle.current().pid())
        .map(self -> Proc.online(CpuList.parse(self.cpus())).size())
        .orElseGet(() -> Runtime.getRuntime().availableProcessors());
  }

  /**
   * Refuses to confine threads to more cores than there are.
   *
   * @param key the setting
   * @param confined its values at the points that confine threads
   * @throws RunException if one is too large
   */
  public static void check(String key, IntStream confined) {
    int usable = count();
    confined
        .filter(cores -> cores > usable)
        .findFirst()
        .ifPresent(
            cores -> {
              throw new RunException(
                  "%s is %d, but this program may run on %d: use fewer, or only case %s"
                      .formatted(key, cores, usable, SqueezeKind.UNRESTRICTED.label()));
            });
  }
}
