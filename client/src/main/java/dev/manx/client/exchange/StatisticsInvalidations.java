/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.config.Durations;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.Inbox;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.TimerThreads;
import dev.manx.policy.config.Setting;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;

/**
 * Invalidations through the statistics server, for applications without a Redis. Each server posts
 * its messages at once, and polls those of the others every {@code interval}, which bounds their
 * delay. At most one exchange is in progress. Thread-safe.
 */
public final class StatisticsInvalidations implements InvalidationChannel {
  static final Setting POLL =
      Setting.duration(
          "interval",
          "100ms",
          "10ms",
          "2s",
          "time after which an application server asks for messages again");

  /** The default polling interval. */
  public static final Duration INTERVAL = Durations.standard(POLL);

  /** Maximum size of a batch of messages with their lengths; the server accepts 512 KiB. */
  private static final int MOST_AT_ONCE = 256 << 10;

  private static final int MOST_QUEUED = 2_048;
  private static final int MOST_ANSWER_BYTES = 2 * MessageLog.MOST_AT_ONCE;

  private final StatisticsAddress address;
  private final String application;
  private final long intervalNanos;
  private final URI page;
  private final HttpClient http;
  private final TimerThreads timer = new TimerThreads("manx-messages");

  // Guarded by this.
  private final Queue<Sent> queue = new ArrayDeque<>();
  private boolean underWay;
  private boolean closed;

  // Set by the exchange in progress; null: none has succeeded.
  private volatile String since;
  private volatile Inbox inbox;

  private record Sent(byte[] message, CompletableFuture<Void> taken) {}

  /**
   * Creates a channel that is not yet connected.
   *
   * @param server the statistics server, {@code http://host:port}
   * @param secret the secret that the server requires; null: none
   * @param application a name that all its servers share and no other application uses on that
   *     server: 1 to 64 letters, digits, {@code . _ -}
   * @param timeout of a whole exchange, including connecting, 1 ms to 60 s
   * @param interval between exchanges, 10 ms to 2 s
   * @throws IllegalArgumentException if a value is out of range
   */
  public StatisticsInvalidations(
      URI server, String secret, String application, Duration timeout, Duration interval) {
    this(new StatisticsAddress(server, secret, timeout), application, interval);
  }

  StatisticsInvalidations(StatisticsAddress address, String application, Duration interval) {
    ChannelKind.APPLICATION.check(application);
    Durations.check(POLL, interval);
    this.address = address;
    this.application = application;
    intervalNanos = interval.toNanos();
    page = address.of(StatisticsServer.MESSAGES_PATH);
    http = address.client();
  }

  @Override
  public void open(Listener opened) {
    inbox = new Inbox(opened);
    next();
  }

  @Override
  public CompletionStage<Void> publish(byte[] message) {
    if (message.length == 0 || message.length > LONGEST_BYTES) {
      return CompletableFuture.failedFuture(
          new IOException("a message of " + message.length + " bytes"));
    }
    Sent sent = new Sent(message, new CompletableFuture<>());
    synchronized (this) {
      if (closed || queue.size() == MOST_QUEUED) {
        return CompletableFuture.failedFuture(
            new IOException(closed ? "closed" : MOST_QUEUED + " messages are already waiting"));
      }
      queue.add(sent);
    }
    next();
    return sent.taken;
  }

  /** Begins an exchange unless one is in progress; its end starts the next one. */
  private void next() {
    List<Sent> batch = new ArrayList<>();
    synchronized (this) {
      if (underWay || closed || inbox == null) {
        return;
      }
      underWay = true;
      int bytes = 0;
      for (Sent head = queue.peek(); head != null; head = queue.peek()) {
        bytes += Frames.bytes(head.message);
        if (bytes > MOST_AT_ONCE && !batch.isEmpty()) {
          break;
        }
        batch.add(queue.remove());
      }
    }
    exchange(batch);
  }

  private void exchange(List<Sent> batch) {
    CompletableFuture<HttpResponse<byte[]>> answer;
    try {
      byte[] body = Frames.write(batch.stream().map(Sent::message).toList());
      HttpRequest.Builder request =
          address.post(page, body).header(StatisticsServer.APPLICATION, application);
      if (since != null) {
        request.header(StatisticsServer.SINCE, since);
      }
      answer =
          http.sendAsync(request.build(), info -> StatisticsAddress.body(info, MOST_ANSWER_BYTES));
      // The time-out covers all of it, however steadily single bytes arrive; closes the connection.
      Alarm alarm = timer.after(address.timeout().toNanos(), () -> answer.cancel(true));
      answer.whenComplete(
          (response, failure) -> {
            alarm.cancel();
            ended(batch, response, failure);
          });
    } catch (Throwable e) {
      // Closed, or out of memory.
      ended(batch, null, e);
    }
  }

  private void ended(List<Sent> batch, HttpResponse<byte[]> response, Throwable failure) {
    boolean more = false;
    Throwable why = failure;
    try {
      if (why == null && response.statusCode() != 200) {
        why = new IOException(this + " answered with status " + response.statusCode());
      }
      if (why == null) {
        more = take(response);
      }
    } catch (Throwable e) {
      why = e;
    }
    for (Sent sent : batch) {
      if (why == null) {
        sent.taken.complete(null);
      } else {
        sent.taken.completeExceptionally(why);
      }
    }
    again(more);
  }

  /** Adds received messages to the inbox; returns whether more are available. */
  private boolean take(HttpResponse<byte[]> response) throws IOException {
    HttpHeaders headers = response.headers();
    List<byte[]> messages = Frames.read(response.body(), LONGEST_BYTES);
    since = address.upTo(response);
    if (headers.firstValue(StatisticsServer.LOST).isPresent()) {
      inbox.broken(this + " was restarted, or has dropped messages");
    }
    messages.forEach(inbox::received);
    return headers.firstValue(StatisticsServer.MORE).isPresent();
  }

  private void again(boolean more) {
    boolean now;
    synchronized (this) {
      underWay = false;
      now = more || !queue.isEmpty();
    }
    try {
      timer.after(now ? 0 : intervalNanos, this::next);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  @Override
  public void close() {
    List<Sent> left;
    synchronized (this) {
      closed = true;
      left = new ArrayList<>(queue);
      queue.clear();
    }
    left.forEach(sent -> sent.taken.completeExceptionally(new IOException("closed")));
    timer.close();
    Inbox opened = inbox;
    if (opened != null) {
      opened.close();
    }
  }

  @Override
  public String toString() {
    return "the statistics server at " + address;
  }
}
