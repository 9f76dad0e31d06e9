/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Measures how busy the cores of this JVM are: those of the host, or of its container. */
final class HostCores {
  private static final java.lang.management.OperatingSystemMXBean SYSTEM =
      ManagementFactory.getOperatingSystemMXBean();

  private HostCores() {}

  /** Share in use since the last call, by all processes, 0 to 1; negative if unknown. */
  static double inUse() {
    return SYSTEM instanceof OperatingSystemMXBean system ? system.getCpuLoad() : -1;
  }
}
