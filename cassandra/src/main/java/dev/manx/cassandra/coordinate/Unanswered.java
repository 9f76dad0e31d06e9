/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import org.apache.cassandra.exceptions.RequestExecutionException;

/**
 * The tables of roles and permissions did not answer in time when a client's rights were checked.
 * Cassandra would check them next, so the client gets this error now instead of waiting for it
 * twice.
 */
final class Unanswered extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int DEEPEST_CAUSE = 10;

  private final RuntimeException original;

  private Unanswered(RuntimeException original) {
    super(original.getMessage(), original, false, false);
    this.original = original;
  }

  /** The exception that Cassandra threw, for the client. */
  RuntimeException original() {
    return original;
  }

  /** The exception to throw for one from authorization: itself, or an instance of this class. */
  static RuntimeException of(RuntimeException thrown) {
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < DEEPEST_CAUSE; i++) {
      if (cause instanceof RequestExecutionException) {
        return new Unanswered(thrown);
      }
      cause = cause.getCause();
    }
    return thrown;
  }
}
