/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

/** How stock Cassandra may choose the replicas of a recorded read. */
enum Stock {
  /** In the recorded order, which the snitch gave when it was recorded. */
  RECORDED("select.stock", "the recorded order"),
  /** By its dynamic snitch, which the simulator plays: coordinators move together. */
  DYNAMIC("select.dynamic-snitch", "its dynamic snitch");

  private final String selector;
  private final String words;

  Stock(String selector, String words) {
    this.selector = selector;
    this.words = words;
  }

  /** For people. */
  String words() {
    return words;
  }

  /** The policy that chooses. */
  String selector() {
    return selector;
  }

  /**
   * The strategy: arrival order. Reads are not retried: what a table's {@code speculative_retry}
   * is, the logs do not say, and a model that retries more than the cluster does is unstable where
   * the cluster is not.
   *
   * @param paged whether multigets that their driver pages are read key by key
   */
  String document(boolean paged) {
    return """
        strategy:
          select: %s
          order: order.fifo
          fanout: { policy: fanout.speculative-retry, threshold: none, paged: %s }
        """
        .formatted(selector, paged);
  }
}
