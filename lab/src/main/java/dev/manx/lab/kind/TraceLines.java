/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * Reads traces of one JSON value per line; plain or {@code .gz}. Blank lines and a byte order mark
 * are skipped.
 */
public final class TraceLines {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TraceLines() {}

  /**
   * Reads a file.
   *
   * @param name place of its name, for errors
   * @param allowed the requirement on a line, for lines that are not JSON
   * @param line gets each value; an {@code IllegalArgumentException} is reported with the line's
   *     number and text
   * @throws ConfigException naming the first line that is refused, or the file
   */
  public static void read(ConfigNode name, Path file, String allowed, Consumer<JsonNode> line) {
    ObjectMapper json = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      int number = 0;
      for (String read = lines.readLine(); read != null; read = lines.readLine()) {
        number++;
        String text = number == 1 && read.startsWith(BYTE_ORDER_MARK) ? read.substring(1) : read;
        if (text.isBlank()) {
          continue;
        }
        try {
          line.accept(json.readTree(text));
        } catch (JsonProcessingException e) {
          throw new ConfigException(file.toString(), number, "", text, allowed);
        } catch (IllegalArgumentException e) {
          throw ConfigException.because(file.toString(), number, "", text, e.getMessage());
        }
      }
    } catch (IOException e) {
      throw name.refuse("a readable trace (looked for " + file + ")");
    }
  }
}
