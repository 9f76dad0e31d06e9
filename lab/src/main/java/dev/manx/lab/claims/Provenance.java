/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The origin of stored rows. It has no date, so that equal runs give equal files.
 *
 * @param command command that produces such a result folder
 * @param revision of the project when it ran, empty if unknown
 * @param machine its processor, cores and JVM
 * @param amount size of the run: seeds, rounds, requests
 * @param rows SHA-256 of the stored rows
 */
record Provenance(String command, String revision, String machine, String amount, String rows) {
  /** The name of the file next to the rows. */
  static final String FILE_NAME = "provenance.yaml";

  private static final String HEAD =
      "# Written by ./manx claims --from; rows that were changed afterwards are refused.\n";

  String text() {
    Map<String, String> out = new LinkedHashMap<>();
    out.put("command", command);
    out.put("revision", revision);
    out.put("machine", machine);
    out.put("amount", amount);
    out.put("rows", rows);
    return HEAD + YamlText.of(out);
  }

  static Provenance parse(String file, String text) {
    ConfigNode top = ConfigNode.parse(file, text);
    Provenance read =
        new Provenance(
            top.at("command").text(),
            top.at("revision").text(),
            top.at("machine").text(),
            top.at("amount").text(),
            top.at("rows").text());
    top.noOtherKeys();
    return read;
  }
}
