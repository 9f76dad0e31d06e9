/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.util.Locale;

/**
 * The purpose of a message between nodes. Wire codes are permanent: a removed kind's code is not
 * reused, and a new form of a kind's bytes is a new kind.
 */
public enum MessageKind {
  /** {@link Greetings}: this node has Manx. One byte: whether an answer is requested. */
  HELLO(1, 1, Reach.STRANGERS),
  /** Tied copies: a copy that the receiver passed on has started. Its id, eight bytes. */
  COPY_STARTED(2, 8, Reach.ACTING),
  /** Tied copies: a read that the sender passed on has started there. Its copy's id. */
  COPY_RECALLED(3, 8, Reach.ACTING),
  /**
   * The news that {@link dev.manx.cassandra.exchange.ExchangeRounds} sends to other coordinators.
   */
  EXCHANGE(4, Envelope.MOST_BYTES, Reach.SHADOW_TOO),
  /** A node's report to the controller of {@code fanout.brb-credits}. */
  CREDIT_REPORT(5, 40 << 10, Reach.ACTING),
  /** The controller's grant, or the announcement that it is alive. */
  CREDIT_GRANT(6, 16 << 10, Reach.ACTING);

  /** The nodes that may send a kind, and its receivers. */
  enum Reach {
    /** Nodes that are on, to nodes that are on. */
    ACTING,
    /** Nodes in any mode but off, to nodes that have Manx and act for them; see Signs. */
    SHADOW_TOO,
    /** Nodes in any mode but off, to any node; a node without Manx ignores the message. */
    STRANGERS
  }

  private static final MessageKind[] BY_CODE = new MessageKind[256];

  static {
    for (MessageKind kind : values()) {
      if (BY_CODE[kind.code] != null) {
        throw new ExceptionInInitializerError("two kinds have code " + kind.code);
      }
      BY_CODE[kind.code] = kind;
    }
  }

  private final int code;
  private final int mostBytes;
  private final Reach reach;

  /**
   * @param code 0 to 255
   * @param mostBytes most bytes of one message, at most {@link Envelope#MOST_BYTES}; longer ones
   *     are neither sent nor handled
   */
  MessageKind(int code, int mostBytes, Reach reach) {
    this.code = code;
    this.mostBytes = mostBytes;
    this.reach = reach;
  }

  /** The kind with a code, or null. */
  static MessageKind of(int code) {
    return BY_CODE[code];
  }

  int code() {
    return code;
  }

  int mostBytes() {
    return mostBytes;
  }

  Reach reach() {
    return reach;
  }

  /** The name in logs. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
