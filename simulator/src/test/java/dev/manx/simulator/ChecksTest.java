/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.order.Order;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each checker detects its fault, and a sound run passes all of them. */
class ChecksTest {
  private static final long VICTIM = 5_000;

  /** Fails once, at the read with the victim's number. */
  private abstract static class Faulty extends Replica {
    Faulty(World world, int id, Order<Read> order) {
      super(world, id, order);
    }
  }

  private static List<String> failing(Replica.Maker maker) {
    ModelSpec model = Models.cluster(List.of());
    SourceSpec source = Models.mixed();
    RunSpec run = Models.run(model, source, 0.7, 5_000, 1);
    return new Simulation(model, source, Models.LOW_EQUALMAX, run, new Checks(), maker)
        .run().checks().stream().filter(check -> !check.holds()).map(Check::name).toList();
  }

  @Test
  void soundRunPasses() {
    assertThat(failing(Replica::new)).isEmpty();
  }

  @Test
  void lostReadIsFound() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      @Override
                      void arrive(Read read) {
                        if (read.number != VICTIM) {
                          super.arrive(read);
                        }
                      }
                    }))
        .contains("every read once", "every request ends once", "tickets balance");
  }

  @Test
  void readServedInPlaceOfAnotherIsFound() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      @Override
                      void done(Read read) {
                        long number = read.number;
                        if (number == VICTIM) {
                          read.number = VICTIM + 1;
                        }
                        super.done(read);
                      }
                    }))
        .containsExactly("every read once");
  }

  @Test
  void readThatEndsBeforeItStartsIsFound() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      @Override
                      void done(Read read) {
                        if (read.number == VICTIM) {
                          read.startNanos = world.calendar.now() + 1;
                        }
                        super.done(read);
                      }
                    }))
        .contains("no negative time");
  }

  @Test
  void eventInThePastIsFound() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      @Override
                      void arrive(Read read) {
                        super.arrive(read);
                        if (read.number == VICTIM) {
                          world.calendar.at(world.calendar.now() - 1, World.GATE, 0);
                        }
                      }
                    }))
        .contains("no negative time");
  }

  @Test
  void idleCoreBesideAReadIsFound() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      private int calls;

                      @Override
                      void startWaiting(long now) {
                        if (++calls % 100 != 0) {
                          super.startWaiting(now);
                        }
                      }
                    }))
        .contains("work conservation");
  }

  @Test
  void falseArrivalTimeBreaksLittlesLaw() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      @Override
                      void done(Read read) {
                        if (read.number == VICTIM) {
                          read.arrivedNanos -= 1_000;
                        }
                        super.done(read);
                      }
                    }))
        .containsExactly("Little's law");
  }

  @Test
  void ticketLeftOpenIsFound() {
    assertThat(
            failing(
                (world, id, order) ->
                    new Faulty(world, id, order) {
                      @Override
                      void done(Read read) {
                        if (read.number == VICTIM) {
                          read.ticketOpen = false;
                        }
                        super.done(read);
                      }
                    }))
        .containsExactly("tickets balance");
  }
}
