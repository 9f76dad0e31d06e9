/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.config;

import java.util.List;

/** Options that a JVM gets from its environment, in addition to those of its command line. */
public final class JvmEnvironment {
  /**
   * The environment variables that contain them; those of the last one override the command line.
   * They must not reach a JVM that is measured.
   */
  public static final List<String> VARIABLES =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  private JvmEnvironment() {}
}
