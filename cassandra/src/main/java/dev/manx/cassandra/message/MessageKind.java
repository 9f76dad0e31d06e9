/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.message;

import java.util.Locale;

/**
 * What a message between nodes is for. Its code on the wire is for ever: a kind that goes leaves
 * its code behind, and another form of a kind's bytes is another kind.
 */
public enum MessageKind {
  /** {@link Greetings}: this node has Manx. One byte: whether an answer is wanted. */
  HELLO(1, 1, Reach.STRANGERS),
  /** Tied copies: a copy that the receiver passed on has started. Its id, eight bytes. */
  COPY_STARTED(2, 8, Reach.ACTING),
  /** Tied copies: a read that the sender passed on has started there. Its copy's id. */
  COPY_RECALLED(3, 8, Reach.ACTING),
  /** What {@link dev.manx.cassandra.exchange.ExchangeRounds} tells other coordinators. */
  EXCHANGE(4, Envelope.MOST_BYTES, Reach.SHADOW_TOO),
  /** What a node tells the controller of {@code fanout.brb-credits}. */
  CREDIT_REPORT(5, 40 << 10, Reach.ACTING),
  /** What the controller grants, or that it lives. */
  CREDIT_GRANT(6, 16 << 10, Reach.ACTING);

  /** Which nodes may send a kind, and to whom. */
  enum Reach {
    /** Nodes that are on, to nodes that are on. */
    ACTING,
    /** Nodes in any mode but off, to nodes that have Manx and act for them; see Signs. */
    SHADOW_TOO,
    /** Nodes in any mode but off, to any node; one without Manx ignores it. */
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
   * @param mostBytes of one message, at most {@link Envelope#MOST_BYTES}; longer ones are neither
   *     sent nor handled
   */
  MessageKind(int code, int mostBytes, Reach reach) {
    this.code = code;
    this.mostBytes = mostBytes;
    this.reach = reach;
  }

  /** The kind of a code, or null. */
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
