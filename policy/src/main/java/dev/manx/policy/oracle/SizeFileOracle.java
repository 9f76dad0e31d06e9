/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * {@code oracle.size-file}: sizes from a list, one {@code key,size} per line, which the host reads
 * and passes in; an unknown key gets the small guess.
 *
 * <p>A later line for a key replaces the earlier one, so a changed file may be passed in again. A
 * line {@code #number,size} identifies the key by its 64-bit hash, as a simulator without key bytes
 * does. {@code max-keys} fixes the memory, at most 64 bytes per key; further keys are refused and
 * counted.
 *
 * <p>Source: Hector's static file oracle. Deviations: unknown keys get an answer; bounded; lines
 * may repeat.
 */
final class SizeFileOracle implements SizeOracle {
  static final PolicyInfo POLICY =
      PolicyInfo.named("oracle.size-file", "sizes from a list of key,size lines")
          .source("Hector static file oracle")
          .settings(
              Setting.text(
                  "path", "sizes.csv", ".+", "a file name", "name of the file with the list"),
              SizeSettings.LARGE_ABOVE,
              SizeSettings.SMALL_GUESS,
              Setting.whole("max-keys", 1 << 20, 1, 1 << 24, "keys kept, at most 64 bytes each"))
          .needs(Ability.FILES)
          .make(
              s ->
                  new SizeFileOracle(
                      s.word("path"),
                      s.number("large-above"),
                      s.number("small-guess"),
                      s.whole("max-keys")));

  private static final byte COMMA = ',';

  private final String path;
  private final long largeAboveBytes;
  private final long smallGuessBytes;
  private final int maxKeys;
  private final long[] hashes;
  private final long[] sizes;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private int keys;
  private long refused;

  /**
   * Creates an empty list.
   *
   * @param path where the host finds the list
   * @param largeAboveBytes smallest size that counts as large
   * @param smallGuessBytes the size of an unknown key
   * @param maxKeys most keys kept
   */
  SizeFileOracle(String path, long largeAboveBytes, long smallGuessBytes, int maxKeys) {
    this.path = path;
    this.largeAboveBytes = largeAboveBytes;
    this.smallGuessBytes = smallGuessBytes;
    this.maxKeys = maxKeys;
    int length = Integer.highestOneBit(2 * maxKeys - 1) * 2;
    hashes = new long[length];
    sizes = new long[length];
  }

  /** Where the host finds the list. */
  public String path() {
    return path;
  }

  /**
   * Adds a line; an empty one is skipped.
   *
   * @throws IllegalArgumentException if it is not {@code key,size}
   */
  public void line(String text) {
    String line = text.strip();
    if (line.isEmpty()) {
      return;
    }
    int comma = line.lastIndexOf(COMMA);
    try {
      long size = Long.parseLong(line.substring(comma + 1).strip());
      if (comma <= 0 || size < 0) {
        throw new NumberFormatException();
      }
      String key = line.substring(0, comma).strip();
      put(
          key.startsWith("#")
              ? Long.parseLong(key.substring(1))
              : hash(ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8))),
          size);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("a line is key,size in bytes, not " + text, e);
    }
  }

  @Override
  public long sizeBytes(ByteBuffer key, long keyHash) {
    lock.readLock().lock();
    try {
      int at = find(inUse(key == null ? keyHash : hash(key)));
      return hashes[at] == 0 ? smallGuessBytes : sizes[at];
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void learn(ByteBuffer key, long keyHash, long sizeBytes) {}

  @Override
  public long largeAboveBytes() {
    return largeAboveBytes;
  }

  @Override
  public long memoryBytes() {
    return 2L * Long.BYTES * hashes.length;
  }

  @Override
  public double fillRatio() {
    lock.readLock().lock();
    try {
      return keys / (double) maxKeys;
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Number of keys refused because the list was full. */
  public long refused() {
    lock.readLock().lock();
    try {
      return refused;
    } finally {
      lock.readLock().unlock();
    }
  }

  private void put(long hash, long size) {
    long used = inUse(hash);
    lock.writeLock().lock();
    try {
      int at = find(used);
      if (hashes[at] == 0) {
        if (keys == maxKeys) {
          refused++;
          return;
        }
        keys++;
        hashes[at] = used;
      }
      sizes[at] = size;
    } finally {
      lock.writeLock().unlock();
    }
  }

  // Never full: there are more slots than the most keys.
  private int find(long hash) {
    int mask = hashes.length - 1;
    int at = (int) (hash * 0x9E3779B97F4A7C15L >>> 32) & mask;
    while (hashes[at] != 0 && hashes[at] != hash) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private static long inUse(long hash) {
    return hash == 0 ? 1 : hash;
  }

  private static long hash(ByteBuffer key) {
    long hash = 0xCBF29CE484222325L;
    for (int i = key.position(); i < key.limit(); i++) {
      hash = (hash ^ (key.get(i) & 0xFF)) * 0x100000001B3L;
    }
    return hash;
  }
}
