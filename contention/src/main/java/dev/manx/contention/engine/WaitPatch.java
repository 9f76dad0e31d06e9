/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Alternative ways to wait for a transaction id that is being allocated, as in section II-B of
 * "Inducing Huge Tail Latency on a MongoDB deployment".
 *
 * <p>Two functions of WiredTiger's {@code src/txn/txn.c} walk the sessions and pause the CPU until
 * an id is published: {@code __txn_get_snapshot_int}, which every transaction calls, and {@code
 * __txn_oldest_scan}, which advances the oldest id. Both get the same substitution. The way is
 * selected when the library is loaded, so that one build serves all ways.
 */
final class WaitPatch {
  private static final List<String> LOOPS = List.of("__txn_get_snapshot_int", "__txn_oldest_scan");
  private static final String PUBLISHER = "__wt_txn_id_alloc";

  /** A text of the source and its replacement. */
  private record Edit(String expected, String replacement) {}

  private static final Edit INCLUDE =
      new Edit(
          "#include \"wt_internal.h\"\n",
          "#include \"wt_internal.h\"\n#include \"" + DriverSources.WAIT_HEADER + "\"\n");
  private static final Edit EACH_SESSION =
      new Edit(
          "i < session_cnt; i++, s++) {\n",
          "i < session_cnt; i++, s++) {\n        struct manx_wait manx_wait = {0};\n");
  private static final Edit PAUSE =
      new Edit(
          "            WT_PAUSE();\n        }\n",
          "            manx_wait_more(&manx_wait);\n        }\n"
              + "        manx_wait_done(&manx_wait);\n");
  private static final String DONE =
      "        WT_RELEASE_WRITE_WITH_BARRIER(txn_shared->is_allocating, false);\n";
  private static final Edit PUBLISHED =
      new Edit(
          DONE,
          DONE
              + "        {\n"
              + "            extern int manx_publish_wakes;\n"
              + "            extern void manx_published(void);\n"
              + "            if (manx_publish_wakes)\n"
              + "                manx_published();\n"
              + "        }\n");

  private WaitPatch() {}

  /** Everything that the patch consists of: a build with another one is not this build. */
  static String text() {
    return LOOPS
        + PUBLISHER
        + INCLUDE
        + EACH_SESSION
        + PAUSE
        + PUBLISHED
        + DriverSources.waitHeader();
  }

  /**
   * Patches a source tree of WiredTiger 11.3.1.
   *
   * @throws EngineException if the source is not as expected
   */
  static void apply(Path source) {
    SourcePatch txn = SourcePatch.of(source.resolve("src/txn/txn.c"));
    txn.once(INCLUDE.expected, INCLUDE.replacement);
    for (String function : LOOPS) {
      txn.in(function, 1, EACH_SESSION.expected, EACH_SESSION.replacement);
      txn.in(function, 1, PAUSE.expected, PAUSE.replacement);
    }
    SourcePatch published = SourcePatch.of(source.resolve("src/include/txn_inline.h"));
    published.in(PUBLISHER, 1, PUBLISHED.expected, PUBLISHED.replacement);
    txn.write();
    published.write();
    try {
      Files.writeString(
          source.resolve("src/txn").resolve(DriverSources.WAIT_HEADER), DriverSources.waitHeader());
    } catch (IOException e) {
      throw new EngineException("cannot write the patch: " + e.getMessage(), e);
    }
  }
}
