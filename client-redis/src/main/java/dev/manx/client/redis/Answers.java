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

/**
 * Responses of a server to commands; distinguishes an error response from an unreachable server.
 */
final class Answers {
  private static final int MOST_CAUSES = 20;

  private final long patienceNanos;

  /**
   * @param patienceNanos time limit of {@link #await}
   */
  Answers(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  /** Sends a command. */
  interface Command<T> {
    CompletionStage<T> send() throws IOException;
  }

  /** The response; fails with {@link Link.RefusedException} if it is an error. */
  static <T> CompletableFuture<T> to(Command<T> command) {
    try {
      return command
          .send()
          .toCompletableFuture()
          .handle(
              (value, failure) -> {
                if (failure != null) {
                  throw new CompletionException(translated(failure));
                }
                return value;
              });
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(translated(e));
    }
  }

  private static Throwable translated(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return isError(cause)
        ? new Link.RefusedException("redis answered: " + cause.getMessage())
        : cause;
  }

  /**
   * Whether a failure is an error response of a server in service. Excluded are a server that is
   * loading its dump, one that is running a script, a former master that rejects the key, and a
   * Cluster that has lost a master.
   */
  static boolean isError(Throwable failure) {
    return failure instanceof RedisCommandExecutionException
        && !String.valueOf(failure.getMessage())
            .matches("(?s)(LOADING|BUSY|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK)\\b.*");
  }

  /**
   * Whether a failure is the response of a replica: another server is the master now. It answers
   * reads, so only its responses reveal it.
   */
  static boolean isReplicas(Throwable failure) {
    return failure instanceof RedisCommandExecutionException
        && String.valueOf(failure.getMessage()).matches("(?s)(READONLY|MASTERDOWN)\\b.*");
  }

  /**
   * A failure in one line, with its root cause: the library's exception names only the server, and
   * the cause of a rejected login is the server's response.
   */
  static String words(Throwable failure) {
    Throwable bare =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    Throwable root = bare;
    // Bounded, because causes may form a circle.
    for (int i = 0; i < MOST_CAUSES && root.getCause() != null; i++) {
      root = root.getCause();
    }
    String first = bare.getMessage() == null ? bare.toString() : bare.getMessage();
    return root == bare ? first : first + ": " + root;
  }

  /**
   * Waits for the response to a command.
   *
   * @throws Link.RefusedException if it is an error
   * @throws IOException if none arrives in time
   */
  <T> T ask(CompletionStage<T> command) throws IOException {
    return await(to(() -> command));
  }

  /** Waits for a result other than a command's; throws the same exceptions as {@link #ask}. */
  <T> T await(CompletableFuture<T> answer) throws IOException {
    return await(answer, patienceNanos);
  }

  /** Waits for a result that may take another time; throws the same exceptions. */
  <T> T await(CompletableFuture<T> answer, long limitNanos) throws IOException {
    try {
      return answer.get(limitNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Link.RefusedException refused) {
        throw refused;
      }
      throw new IOException(words(e.getCause()), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("redis does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
