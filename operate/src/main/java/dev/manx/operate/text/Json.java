/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

/** Formats maps, lists and records as JSON. */
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /** On one line. */
  public static String line(Object value) {
    return text(MAPPER.writer(), value);
  }

  /** Indented. */
  public static String indented(Object value) {
    return text(MAPPER.writerWithDefaultPrettyPrinter(), value);
  }

  private static String text(ObjectWriter writer, Object value) {
    try {
      return writer.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
