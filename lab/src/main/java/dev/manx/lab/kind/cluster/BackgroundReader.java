/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.load.Background;
import dev.manx.policy.config.Setting;
import java.util.Optional;

/** Reads {@code background:}. */
final class BackgroundReader {
  private static final Key RATE =
      Key.required(Setting.rate("rate", 1, 0.1, 1e6, "operations, in an open loop"));
  private static final Section READS =
      Section.of(RATE, Key.required(Setting.whole("rows", 1, 1, 10_000, "rows of each")));

  static final Section SECTION =
      Section.of(
          Key.optional("scans", READS, "range scans of this many rows"),
          Key.optional(
              "index-reads", READS, "reads of a secondary index, about this many rows each"),
          Key.optional("writes", Section.of(RATE), "rewrites of random keys"));

  private BackgroundReader() {}

  static Background read(Part part) {
    Optional<Part> scans = part.find("scans");
    Optional<Part> index = part.find("index-reads");
    Background background =
        new Background(
            rate(scans), rows(scans), rate(index), rows(index), rate(part.find("writes")));
    if (background.rates().isEmpty()) {
      throw part.node().refuse("scans, index-reads or writes, each with a rate");
    }
    return background;
  }

  private static double rate(Optional<Part> kind) {
    return kind.map(one -> one.real("rate")).orElse(0.0);
  }

  private static int rows(Optional<Part> kind) {
    return kind.map(one -> one.whole("rows")).orElse(1);
  }
}
