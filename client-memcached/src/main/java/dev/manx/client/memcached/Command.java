/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.level.LevelLink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * A command of memcached's text protocol, with a reader for its response.
 *
 * <p>Source: memcached's doc/protocol.txt.
 *
 * @param bytes the encoded command
 * @param repeatable whether it may be executed again after commands of others. An {@code add} may
 *     not: if an invalidation has deleted its entry, the second one would bring it back
 */
record Command<T>(byte[] bytes, boolean repeatable, Reader<T> reader) {
  /** Reads a response. */
  interface Reader<T> {
    /**
     * Reads the whole response, and no more.
     *
     * @throws LevelLink.RefusedException if the server reported an error
     * @throws IOException if the connection cannot be used any more
     */
    T read(TextAnswers in) throws IOException, LevelLink.RefusedException;
  }

  /**
   * A stored item.
   *
   * @param version changes with each change of the item
   */
  record Item(byte[] value, String version) {}

  /** Reads the stored items, by key. */
  static Command<Map<String, Item>> get(Collection<String> keys) {
    return new Command<>(line("gets " + String.join(" ", keys)), true, Command::items);
  }

  private static Map<String, Item> items(TextAnswers in)
      throws IOException, LevelLink.RefusedException {
    Map<String, Item> items = new HashMap<>();
    for (String line = in.line(); !line.equals("END"); line = in.line()) {
      String[] words = line.split(" ", -1);
      if (words.length != 5 || !words[0].equals("VALUE")) {
        throw refusal(line);
      }
      items.put(words[1], new Item(in.value(Integer.parseInt(words[3])), words[4]));
    }
    return items;
  }

  /**
   * Stores a value if the key has none; the response tells whether it was stored.
   *
   * @param seconds time until it expires; 0: never
   */
  static Command<Boolean> add(String key, byte[] value, int seconds) {
    return store("add " + key + " 0 " + seconds + " " + value.length, value);
  }

  /**
   * Replaces a value; the response tells whether it was replaced.
   *
   * @param version of the replaced value
   * @param seconds time until the new value expires; 0: never
   */
  static Command<Boolean> replace(String key, byte[] value, int seconds, String version) {
    return store("cas " + key + " 0 " + seconds + " " + value.length + " " + version, value);
  }

  private static Command<Boolean> store(String head, byte[] value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(head.length() + value.length + 4);
    bytes.writeBytes(line(head));
    bytes.writeBytes(value);
    bytes.writeBytes(line(""));
    return new Command<>(bytes.toByteArray(), false, Command::stored);
  }

  private static boolean stored(TextAnswers in) throws IOException, LevelLink.RefusedException {
    String line = in.line();
    return switch (line) {
      case "STORED" -> true;
      case "NOT_STORED", "EXISTS", "NOT_FOUND" -> false;
      default -> throw refusal(line);
    };
  }

  /** Deletes a key, existing or not. */
  static Command<Void> delete(String key) {
    return new Command<>(
        line("delete " + key),
        true,
        in -> {
          String line = in.line();
          if (!line.equals("DELETED") && !line.equals("NOT_FOUND")) {
            throw refusal(line);
          }
          return null;
        });
  }

  /** After other error responses the end of the command's response is unknown. */
  private static LevelLink.RefusedException refusal(String line) throws IOException {
    if (line.startsWith("SERVER_ERROR")) {
      return new LevelLink.RefusedException("memcached answered: " + line);
    }
    throw new IOException("memcached answered: " + line);
  }

  private static byte[] line(String text) {
    return (text + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
