/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Windows, views and caches for tests. */
final class CacheFixtures {
  static final long MS = 1_000_000L;
  static final long SECOND = 1_000 * MS;
  static final long MB = 1_000_000L;

  private CacheFixtures() {}

  static List<String> names(int n) {
    return IntStream.range(0, n).mapToObj(i -> "b" + i).toList();
  }

  /** A window in which the backends blocked the given numbers of requests, all of one latency. */
  static WindowStatistics blocking(int... counts) {
    WindowRecorder recorder = new WindowRecorder(names(counts.length));
    for (int b = 0; b < counts.length; b++) {
      for (int i = 0; i < counts[b]; i++) {
        recorder.request(100 * MS, b);
      }
    }
    return recorder.cut();
  }

  /** A view of full shares without floors. */
  static ShareView view(WindowStatistics statistics, double... allocated) {
    return view(statistics, allocated, allocated);
  }

  static ShareView view(WindowStatistics statistics, double[] allocated, double[] used) {
    List<MissCurve> curves = new ArrayList<>();
    for (int b = 0; b < allocated.length; b++) {
      curves.add(null);
    }
    return new ShareView(
        0, statistics, allocated.clone(), used.clone(), new double[allocated.length], curves);
  }

  static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }

  /** A cache whose shares are always full. */
  static LocalCache full(ShareController controller) {
    return controller::limitBytes;
  }

  /** Applies a tick's moves at once, like a store that can always resize. */
  static void follow(ShareController controller, List<Move> moves) {
    for (Move move : moves) {
      for (Move grow : controller.confirm(move.backend(), move.toBytes())) {
        controller.confirm(grow.backend(), grow.toBytes());
      }
    }
    controller.grow();
  }

  static long limits(ShareController controller) {
    return controller.backends().stream().mapToLong(controller::limitBytes).sum();
  }

  static Map<String, Long> shares(ShareController controller) {
    Map<String, Long> shares = new LinkedHashMap<>();
    controller.backends().forEach(name -> shares.put(name, controller.limitBytes(name)));
    return shares;
  }
}
