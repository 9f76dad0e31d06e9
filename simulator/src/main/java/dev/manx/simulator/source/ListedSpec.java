/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;
import java.util.List;

/**
 * An explicit list of requests, for examples computed by hand. It repeats after the last one.
 *
 * @param requests at least one, each with at least one read
 */
public record ListedSpec(List<List<ListedRead>> requests) implements SourceSpec {
  /**
   * A read.
   *
   * @param home the first of its replicas
   * @param valueBytes size of its value
   */
  public record ListedRead(int home, int valueBytes) {}

  /** Copies the lists. */
  public ListedSpec {
    requests = requests.stream().map(List::copyOf).toList();
    if (requests.isEmpty() || requests.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("a request without reads, or no request at all");
    }
  }

  @Override
  public Source open(Streams streams, int nodes, long run) {
    return new Source() {
      private int at;
      private long keys;

      @Override
      public void next(Draw draw) {
        draw.clear();
        for (ListedRead read : requests.get(at)) {
          draw.add(++keys, read.home(), read.valueBytes(), false);
        }
        at = (at + 1) % requests.size();
      }
    };
  }

  @Override
  public double meanReads() {
    return requests.stream().mapToInt(List::size).average().orElseThrow();
  }

  @Override
  public double meanBytes() {
    return requests.stream()
        .flatMap(List::stream)
        .mapToInt(ListedRead::valueBytes)
        .average()
        .orElseThrow();
  }

  @Override
  public int largeFromBytes() {
    return Integer.MAX_VALUE;
  }
}
