/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.idle;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of a worker's threads.
 *
 * @param threads one record each, in order
 */
record WorkerResult(List<OfThread> threads) {
  /**
   * The records of one thread.
   *
   * @param boosted whether it may be boosted
   * @param waits operations that had to wait for another thread
   * @param checks checks without success
   * @param intendedNanos intended start of each operation, since the start
   * @param latencyNanos from then to its end; negative if it was not done
   */
  record OfThread(
      boolean boosted, long waits, long checks, long[] intendedNanos, long[] latencyNanos) {}

  static void write(Path file, List<WaitingThread> threads) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
      out.writeInt(threads.size());
      for (WaitingThread thread : threads) {
        out.writeBoolean(thread.getName().startsWith(WorkerMain.BOOSTED));
        out.writeLong(thread.waits());
        out.writeLong(thread.checks());
        out.writeInt(thread.intendedNanos().length);
        for (int i = 0; i < thread.intendedNanos().length; i++) {
          out.writeLong(thread.intendedNanos()[i]);
          out.writeLong(thread.latencyNanos()[i]);
        }
      }
    }
  }

  static WorkerResult read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      List<OfThread> threads = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        boolean boosted = in.readBoolean();
        long waits = in.readLong();
        long checks = in.readLong();
        int count = in.readInt();
        long[] intended = new long[count];
        long[] latency = new long[count];
        for (int i = 0; i < count; i++) {
          intended[i] = in.readLong();
          latency[i] = in.readLong();
        }
        threads.add(new OfThread(boosted, waits, checks, intended, latency));
      }
      return new WorkerResult(threads);
    }
  }
}
