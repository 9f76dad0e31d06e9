/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An in-process channel whose faults a test controls. */
final class Bus {
  private final List<Line> lines = new ArrayList<>();

  /** One server's end. */
  final class Line implements InvalidationChannel {
    private Listener listener;

    /** It accepts messages. */
    boolean sends = true;

    /** It receives messages. */
    boolean hears = true;

    /** It accepts messages and loses them. */
    boolean loses;

    /** The part of the bus where it is; messages reach only its own part. */
    int part;

    /** It never answers. */
    boolean hangs;

    /** How often its connections were to be replaced. */
    int renewals;

    boolean closed;

    @Override
    public void open(Listener opened) {
      listener = opened;
      lines.add(this);
    }

    @Override
    public CompletionStage<Void> publish(byte[] message) {
      if (hangs) {
        return new CompletableFuture<>();
      }
      if (!sends) {
        return CompletableFuture.failedFuture(new IOException("cut off"));
      }
      if (!loses) {
        for (Line line : List.copyOf(lines)) {
          if (line.hears && !line.closed && line.part == part) {
            line.listener.received(message);
          }
        }
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void renew() {
      renewals++;
    }

    void say(byte[] message) {
      listener.received(message);
    }

    void breaks() {
      listener.broken("it broke");
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  Line line() {
    return new Line();
  }
}
