/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

/** A question to one node that got no answer, in words. */
public final class NodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** The kind of failure. */
  public enum Kind {
    /** The node cannot be reached, or did not answer in time. */
    UNREACHABLE,
    /** The user may not. */
    FORBIDDEN,
    /** There is no such keyspace or table. */
    ABSENT,
    /** The node answered with an error. */
    REFUSED
  }

  NodeException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** The kind of failure. */
  public Kind kind() {
    return kind;
  }
}
