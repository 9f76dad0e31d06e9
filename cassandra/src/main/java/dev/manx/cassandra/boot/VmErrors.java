/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Guard;
import org.apache.cassandra.utils.JVMStabilityInspector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles VM errors on Manx's own threads, which must not end them. */
final class VmErrors {
  private static final Logger logger = LoggerFactory.getLogger(VmErrors.class);

  private VmErrors() {}

  /** Handles a throwable as {@link Guard#fault} does; never throws. */
  static void fault(Guard guard, String where, Throwable fault) {
    try {
      guard.fault(where, fault);
    } catch (VirtualMachineError e) {
      // Another attempt could fail in the same way, ten times a second.
      guard.stuck(where + " met " + e);
      inspect(e);
    }
  }

  private static void log(Throwable error) {
    try {
      logger.error("Manx: one of its threads continues after a VM error", error);
    } catch (Throwable e) {
      // There is no memory to log the error.
    }
  }

  /** Lets Cassandra decide whether the JVM ends; never throws. */
  static void inspect(VirtualMachineError error) {
    try {
      JVMStabilityInspector.inspectThrowable(error);
    } catch (Throwable again) {
      // Cassandra rethrows an OutOfMemoryError, for the thread that it expects to end.
      log(again);
    }
  }
}
