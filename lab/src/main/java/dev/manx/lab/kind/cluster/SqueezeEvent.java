/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.contention.squeeze.Schedule;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezeReport;
import dev.manx.contention.squeeze.SqueezedProcess;
import dev.manx.contention.squeeze.Squeezer;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;

/**
 * A squeeze of a node for a while in every turn, at a fixed time of the window for all arms.
 *
 * @param atNanos since the start of the window
 * @param forNanos duration
 * @param node from 1
 * @param squeeze squeeze of its process
 */
public record SqueezeEvent(long atNanos, long forNanos, int node, Squeeze squeeze)
    implements NodeEvent {
  static final Key KEY =
      Key.optional(
          "squeeze",
          Section.of(ClusterReader.NODE)
              .and(
                  Squeeze.SETTINGS.stream()
                      .map(one -> one.standard() == null ? Key.optional(one) : Key.of(one))
                      .toArray(Key[]::new)),
          "its threads are squeezed; nice levels need root or CAP_SYS_NICE");

  /** Reads the value of {@code squeeze}. */
  static SqueezeEvent read(Part what, long at, long duration, int nodes) {
    int index = what.whole("node", 1, nodes);
    Squeeze squeeze = Squeeze.read(what.node());
    if (squeeze.boost() == 0) {
      // A level that no thread has.
      what.put("nice", null);
    }
    return new SqueezeEvent(at, duration, index, squeeze);
  }

  @Override
  public SqueezeEvent scaled(double factor) {
    return new SqueezeEvent((long) (atNanos * factor), (long) (forNanos * factor), node, squeeze);
  }

  @Override
  public String words() {
    return "node" + node + ": " + squeeze.words();
  }

  @Override
  public Running prepare(EventHost host) {
    SqueezedProcess target = SqueezedProcess.check(host.pid(node), squeeze);
    return new Squeezed(
        Squeezer.prepare(target, squeeze, Schedule.of(forNanos), Squeezer.folder(), line -> {}));
  }

  /** A squeeze that its guard ends automatically. */
  private final class Squeezed implements Running {
    private final Squeezer squeezer;

    Squeezed(Squeezer squeezer) {
      this.squeezer = squeezer;
    }

    @Override
    public void begin() {
      squeezer.go();
    }

    @Override
    public void end() {}

    @Override
    public Span span() {
      SqueezeReport report = squeezer.await();
      if (report.fromNanos() == 0 || report.ended()) {
        throw new SqueezeException(
            "the squeeze of " + words() + " did not take place: the node or its guard has ended");
      }
      return new Span(report.fromNanos(), report.restoredNanos());
    }

    @Override
    public void close() {
      squeezer.close();
    }
  }
}
