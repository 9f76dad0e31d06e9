/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A command to a Redis on 127.0.0.1, and its answer as redis-cli prints it. */
final class RedisCommand {
  /* Not redis-cli itself: tests poll, and the start of a process costs more than what they wait for. */

  /** Longer than any command takes. */
  private static final int MILLIS = 60_000;

  private RedisCommand() {}

  /** The answer, or why there is none. */
  static String ask(int port, String... question) {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.setSoTimeout(MILLIS);
      StringBuilder command = new StringBuilder("*" + question.length + "\r\n");
      for (String word : question) {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        command.append('$').append(bytes.length).append("\r\n").append(word).append("\r\n");
      }
      socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.UTF_8));
      StringBuilder answer = new StringBuilder();
      read(new DataInputStream(new BufferedInputStream(socket.getInputStream())), answer);
      return answer.toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void read(DataInputStream in, StringBuilder answer) throws IOException {
    char type = (char) in.readUnsignedByte();
    String line = line(in);
    switch (type) {
      case '+', '-', ':' -> answer.append(line).append('\n');
      case '$' -> answer.append(text(in, Integer.parseInt(line))).append('\n');
      case '*' -> {
        for (int i = Integer.parseInt(line); i > 0; i--) {
          read(in, answer);
        }
      }
      default -> throw new IOException("not an answer of Redis: " + type + line);
    }
  }

  /** A line without its end. */
  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.readUnsignedByte(); next != '\r'; next = in.readUnsignedByte()) {
      line.append((char) next);
    }
    in.readUnsignedByte();
    return line.toString();
  }

  /**
   * @param length of the text; negative for none
   */
  private static String text(DataInputStream in, int length) throws IOException {
    if (length < 0) {
      return "";
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("an answer has ended too soon");
    }
    in.skipNBytes(2);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
