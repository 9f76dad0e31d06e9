/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** Metrics of the CPU of the nodes that the report compares. */
public final class CpuMetric {
  /** Microseconds per read asked of a replica. */
  public static final String NODES_PER_READ = "cpu_us_per_read_nodes";

  /** The part of it used by the just-in-time compilers. */
  public static final String COMPILERS_PER_READ = "cpu_us_per_read_compilers";

  /** Percent of the machine's CPU. */
  public static final String NODES = "cpu_pct_nodes";

  private CpuMetric() {}
}
