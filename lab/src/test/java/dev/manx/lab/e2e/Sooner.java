/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import java.util.List;
import java.util.stream.Stream;

/** Options of nodes' JVMs that speed up boot and answers. No test depends on their effects. */
final class Sooner {
  /** For all nodes. */
  private static final List<String> ANY =
      List.of(
          // At each start Cassandra otherwise makes 100,000 rows to find this number.
          "-Dcassandra.memtable.row_overhead_size=180",
          // A login takes 2^4 rounds of hashing instead of 2^10.
          "-Dcassandra.auth_bcrypt_gensalt_log2_rounds=4",
          // Costs less CPU time than G1 for a small heap, and its pages are touched as they are
          // used.
          "-XX:-UseG1GC",
          "-XX:+UseSerialGC",
          "-XX:-AlwaysPreTouch");

  // Otherwise each change of the schema is flushed at once, table by table. The schema is read
  // before the commit log is replayed, so a node that is started again needs it.
  private static final String SCHEMA_STAYS_IN_MEMORY =
      "-Dcassandra.test.flush_local_schema_changes=false";

  private Sooner() {}

  /** For nodes that a test starts again. */
  static List<String> startedAgain(List<String> more) {
    return withoutArchive(Stream.concat(ClassArchive.options().stream(), more.stream()).toList());
  }

  /** For nodes that load all classes from jars. */
  static List<String> withoutArchive(List<String> more) {
    return Stream.concat(ANY.stream(), more.stream()).toList();
  }

  /** For nodes that are started once. */
  static List<String> once(List<String> more) {
    return Stream.concat(startedAgain(more).stream(), Stream.of(SCHEMA_STAYS_IN_MEMORY)).toList();
  }
}
