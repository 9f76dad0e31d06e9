/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.manx.lab.report.render.ReportPage;
import dev.manx.lab.report.render.TerminalText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report of a result folder as data, page and text; the folder is read once. */
public final class Report {
  private final Path folder;
  private final List<String> missedBounds;
  private final List<String> wrong;
  private final JsonNode json;

  private Report(Path folder, ReportData data) {
    this.folder = folder;
    missedBounds =
        data.bounds().stream()
            .filter(judged -> judged.state() == BoundVerdicts.State.MISSED)
            .map(BoundVerdicts.Judged::sentence)
            .toList();
    wrong = data.wrong();
    json = ReportJson.of(data);
  }

  /**
   * Reads a result folder.
   *
   * @throws IOException if a file cannot be read
   * @throws dev.manx.workload.result.SchemaException if a file does not follow the schema
   */
  public static Report of(Path folder) throws IOException {
    return new Report(folder, ReportData.read(folder));
  }

  /**
   * Writes {@code report.json} and {@code report.html} into the folder.
   *
   * @return the page
   * @throws IOException if a file cannot be written
   */
  public Path write() throws IOException {
    Files.writeString(folder.resolve(ReportJson.FILE_NAME), json + "\n", StandardCharsets.UTF_8);
    Path page = folder.resolve(ReportPage.FILE_NAME);
    Files.writeString(page, ReportPage.html(json), StandardCharsets.UTF_8);
    return page;
  }

  /** Tables and verdicts for a terminal, lines ended by {@code \n}. */
  public String text() {
    return TerminalText.of(json);
  }

  /** The reasons why the results cannot be right: wrong rows and failed checks, one line each. */
  public List<String> wrong() {
    return wrong;
  }

  /** The missed bounds, one line each, without those merely not shown to hold. */
  public List<String> missedBounds() {
    return missedBounds;
  }
}
