/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * Measures how busy the cores of this JVM are: those of the host, or of its container. One thread
 * at a time.
 */
/*
 * The JDK's getCpuLoad() measures the same, but since the last call of any caller: Manx would
 * shorten the window of an operator's metrics, and these would shorten Manx's window.
 */
final class HostCores {
  private static final java.lang.management.OperatingSystemMXBean SYSTEM =
      ManagementFactory.getOperatingSystemMXBean();

  /** The source of the times. */
  interface Source {
    /**
     * The times until now.
     *
     * @throws IOException or a {@link RuntimeException} if they cannot be read
     */
    Times read(long nowNanos) throws IOException;
  }

  /**
   * Times since some moment in the past, in any unit.
   *
   * @param ofContainer whether they are a container's; times of the host have another unit
   * @param used the time that cores were in use, summed over them
   * @param elapsed the time of one core
   * @param cores the number of cores
   */
  record Times(boolean ofContainer, long used, long elapsed, double cores) {
    double shareSince(Times before) {
      if (before == null || before.ofContainer != ofContainer || elapsed <= before.elapsed) {
        return -1;
      }
      double share = (used - before.used) / ((elapsed - before.elapsed) * cores);
      return Math.max(0, Math.min(1, share));
    }
  }

  private final Source source;
  private Times last;

  /**
   * @param source null for the JDK's own measure
   */
  HostCores(Source source) {
    this.source = source;
  }

  /** The cores of this JVM. Only on Linux is the window independent of other readers. */
  static HostCores ofThisJvm() {
    boolean linux = "Linux".equals(System.getProperty("os.name"));
    return new HostCores(linux ? new LinuxCores(Path.of("/")) : null);
  }

  /** Share in use since this object's last call, by all processes, 0 to 1; negative if unknown. */
  double inUse(long nowNanos) {
    if (source == null) {
      return SYSTEM instanceof OperatingSystemMXBean system ? system.getCpuLoad() : -1;
    }
    Times before = last;
    last = null;
    try {
      last = source.read(nowNanos);
    } catch (IOException | RuntimeException e) {
      return -1;
    }
    return last.shareSince(before);
  }
}
