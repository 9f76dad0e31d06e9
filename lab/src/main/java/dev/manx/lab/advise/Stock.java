/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

/** Stock Cassandra's possible choices of the replicas of a recorded read. */
enum Stock {
  /** The recorded order, given by the snitch at that time. */
  RECORDED("select.stock", "the recorded order"),
  /** The order of its dynamic snitch, which is simulated: coordinators change together. */
  DYNAMIC("select.dynamic-snitch", "its dynamic snitch");

  private final String selector;
  private final String words;

  Stock(String selector, String words) {
    this.selector = selector;
    this.words = words;
  }

  String words() {
    return words;
  }

  /**
   * The strategy: arrival order. Reads are not retried: the logs do not contain a table's {@code
   * speculative_retry}, and a model that retries more than the cluster would be unstable where the
   * cluster is not.
   *
   * @param paged whether paged multigets are read key by key
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
