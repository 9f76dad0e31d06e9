/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.store.Codec;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/**
 * A codec that hangs while it encodes or decodes a given text, until it is released. It fails on
 * some other texts.
 */
final class Hanging implements Codec<Integer, String> {
  /** The threads that decoded, once for each value. */
  final Queue<String> decodedOn = new ConcurrentLinkedQueue<>();

  private final String whileEncoding;
  private final String whileDecoding;
  private final CountDownLatch released = new CountDownLatch(1);
  private final Semaphore hanging = new Semaphore(0);

  /** Hangs at these texts; an empty one never occurs. */
  Hanging(String whileEncoding, String whileDecoding) {
    this.whileEncoding = whileEncoding;
    this.whileDecoding = whileDecoding;
  }

  /** Waits until this many threads hang. */
  void await(int threads) throws InterruptedException {
    hanging.acquire(threads);
  }

  /** Releases the hanging threads. */
  void release() {
    released.countDown();
  }

  private void hangIf(boolean met) {
    if (met) {
      hanging.release();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public String key(Integer key) {
    return key.toString();
  }

  @Override
  public byte[] encode(String value) {
    if (value.equals("too deep")) {
      throw new StackOverflowError("asked to fail");
    }
    hangIf(value.equals(whileEncoding));
    return value.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String decode(Integer key, byte[] bytes) {
    String value = new String(bytes, StandardCharsets.UTF_8);
    decodedOn.add(Thread.currentThread().getName());
    if (value.equals("unreadable")) {
      throw new NoClassDefFoundError("asked to fail");
    }
    hangIf(value.equals(whileDecoding));
    return value.equals("null") ? null : value;
  }
}
