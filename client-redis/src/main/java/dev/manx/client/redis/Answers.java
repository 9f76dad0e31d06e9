/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.remote.Link;
import io.lettuce.core.RedisCommandExecutionException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a server answers to commands: an error answer is told from a server out of reach. */
final class Answers {
  private final long patienceNanos;

  /**
   * @param patienceNanos how long {@link #await} waits
   */
  Answers(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Sends a command. */
  interface Command<T> {
    CompletionStage<T> send() throws IOException;
  }

  /** The answer; fails with {@link Link.RefusedException} if the server answered with an error. */
  static <T> CompletableFuture<T> to(Command<T> command) {
    try {
      return command
          .send()
          .toCompletableFuture()
          .handle(
              (value, failure) -> {
                if (failure != null) {
                  throw new CompletionException(told(failure));
                }
                return value;
              });
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(told(e));
    }
  }

  private static Throwable told(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return isError(cause)
        ? new Link.RefusedException("redis answers: " + cause.getMessage())
        : cause;
  }

  /**
   * Whether a failure is an error answer of a server that serves. One that was restarted from a
   * dump does not yet, one that runs a script does not now, one that is no master any more does not
   * take this key, and neither does a Cluster that has lost a master.
   */
  static boolean isError(Throwable failure) {
    return failure instanceof RedisCommandExecutionException
        && !String.valueOf(failure.getMessage())
            .matches("(?s)(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK)\\b.*");
  }

  /**
   * Waits for the answer to a command that was sent.
   *
   * @throws Link.RefusedException if it is an error
   * @throws IOException if there is none in time
   */
  <T> T ask(CompletionStage<T> command) throws IOException {
    return await(to(() -> command));
  }

  /** Waits for what is no command; throws what {@link #ask} throws. */
  <T> T await(CompletableFuture<T> answer) throws IOException {
    try {
      return answer.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Link.RefusedException refused) {
        throw refused;
      }
      throw new IOException(String.valueOf(e.getCause().getMessage()), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("redis does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
