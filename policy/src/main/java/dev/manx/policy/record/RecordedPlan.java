/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.record;

import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import dev.manx.policy.facts.ClusterView;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A plan of a request, as logged: it can be replayed and compared. */
public final class RecordedPlan {
  private final LogLine line;
  private final LogHead head;
  private final List<String> decided;
  private final ClusterView view;
  private final Recollection recollection;

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not the line of a plan
   */
  public RecordedPlan(LogLine line, LogHead head) {
    this.line = line;
    this.head = head;
    String reads = line.text("o");
    // The decisions of a request without reads are an empty list, not one empty decision.
    decided = reads.isEmpty() ? List.of() : List.of(reads.split(";", -1));
    view = ViewText.read(line.text("v"), head.columns(), head.nodes(), line.number("t"));
    recollection = new Recollection(line.text("k"));
  }

  /** Number of the strategy that planned it. */
  public int strategy() {
    return (int) line.number("s");
  }

  /** How its keys are read. */
  public PlanPaging paging() {
    return PlanPaging.of(line.text("p"));
  }

  /** The clock at planning. */
  public long nowNanos() {
    return line.number("t");
  }

  /** The nodes' facts at planning. */
  public ClusterView view() {
    return view;
  }

  /** Node ids are below this. */
  public int nodes() {
    return head.nodes();
  }

  /**
   * Fills a request with the reads, their replicas in stock order, their forecasts and draws.
   *
   * @throws IllegalArgumentException or {@link IndexOutOfBoundsException} if the record is not a
   *     valid request
   */
  public void begin(Request request) {
    long seed = DecisionLog.seed(head.seed(), line.number("i"));
    request.begin(nowNanos(), new SplitMix(seed), head.nodes());
    long[][] forecasts = RequestText.fill(request, line.text("r"), head.nodes());
    if (forecasts.length != decided.size()) {
      throw new IllegalArgumentException("the numbers of read and decided reads differ");
    }
    for (int read = 0; read < forecasts.length; read++) {
      request.forecast(read, forecasts[read][0], forecasts[read][1], 0);
    }
  }

  /**
   * As {@link #beginAgain}, for the strategy that planned it: its policies recall the recorded
   * numbers.
   */
  public void beginAgain(Request request) {
    begin(request);
    request.memory(recollection);
  }

  /**
   * Compares the plan with another plan made after {@link #beginAgain}.
   *
   * @return the first difference in words, if there is one
   */
  public Optional<String> difference(Request again) {
    List<String> now = RequestText.decided(again);
    for (int read = 0; read < decided.size(); read++) {
      if (!now.get(read).equals(decided.get(read))) {
        return differs("read " + read, decided.get(read), now.get(read));
      }
    }
    if (!RequestText.whole(again).equals(line.text("w"))) {
      return differs("the request", line.text("w"), RequestText.whole(again));
    }
    if (!RequestText.order(again).equals(line.text("q"))) {
      return differs("the order of sending", line.text("q"), RequestText.order(again));
    }
    return recollection.isUsedUp()
        ? Optional.empty()
        : Optional.of("the policies did not recall as many values as were recorded");
  }

  /** Whether another plan sends a read to other replicas, regardless of their order. */
  public boolean goesElsewhere(Request other, int read) {
    int contacts = other.contacts(read);
    int[] here = Arrays.copyOf(RequestText.ranked(decided.get(read)), contacts);
    int start = other.replicaStart(read);
    int[] there = Arrays.copyOfRange(other.replicas(), start, start + contacts);
    Arrays.sort(here);
    Arrays.sort(there);
    return !Arrays.equals(here, there);
  }

  private static Optional<String> differs(String what, String recorded, String now) {
    return Optional.of(what + ": recorded " + recorded + ", replayed " + now);
  }
}
