/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import java.util.List;

/** Words for experiments on nodes of Apache Cassandra. */
public final class ClusterWords {
  /** For the report. */
  public static final KindWords WORDS =
      new KindWords(
          "cluster",
          "load",
          "Latency of whole fan-out requests, from the moment each was meant to start until its last"
              + " read was answered.",
          List.of(
              KindWords.openLoop("read"),
              new Note(
                  "Rounds.",
                  "All arms run in every round, one after the other in random order, on the same"
                      + " nodes with the same data and the same sequence of requests. After each"
                      + " switch a warm-up is discarded. Drift of the machine then hits all arms"
                      + " alike, and arms are compared inside rounds only.")),
          false,
          true,
          "Every value carries its key, a version and a checksum, and every row that comes back is"
              + " verified; the column wrong counts rows that were wrong, missing or twice.");

  private ClusterWords() {}
}
