/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Place;

/** Begins and ends the faults of a model. Confined to one thread. */
final class Faults {
  private final World world;

  Faults(World world) {
    this.world = world;
  }

  void begin(Fault fault) {
    if (fault.place() == Place.COORDINATOR) {
      for (int i = first(fault); i <= last(fault, world.coordinators.length); i++) {
        world.coordinators[i].cpu.speed(fault.factor());
      }
      return;
    }
    for (int i = first(fault); i <= last(fault, world.replicas.length); i++) {
      Replica replica = world.replicas[i];
      switch (fault.trouble()) {
        case DEAD -> replica.die();
        case SLOW -> replica.faultSpeed(fault.factor());
        case PAUSED -> replica.pause(true);
        case STALLED -> replica.pause(false);
        case RESTARTED -> {
          replica.away = true;
          world.nodesAway++;
        }
        case FAR -> {
          replica.farNanos += fault.delayNanos();
          world.nodesFar++;
        }
        case STEPPED -> replica.clockNanos += fault.delayNanos();
      }
    }
  }

  void end(Fault fault) {
    if (fault.place() == Place.COORDINATOR) {
      for (int i = first(fault); i <= last(fault, world.coordinators.length); i++) {
        world.coordinators[i].cpu.speed(1);
      }
      return;
    }
    for (int i = first(fault); i <= last(fault, world.replicas.length); i++) {
      Replica replica = world.replicas[i];
      switch (fault.trouble()) {
        case DEAD -> replica.revive();
        case SLOW -> replica.faultSpeed(1);
        case PAUSED, STALLED -> replica.resume();
        case RESTARTED -> {
          replica.comeBack();
          world.nodesAway--;
        }
        case FAR -> {
          replica.farNanos -= fault.delayNanos();
          world.nodesFar--;
        }
        case STEPPED -> replica.clockNanos -= fault.delayNanos();
      }
    }
  }

  private static int first(Fault fault) {
    return fault.id() == ModelSpec.EVERY ? 0 : fault.id();
  }

  private static int last(Fault fault, int length) {
    return fault.id() == ModelSpec.EVERY ? length - 1 : fault.id();
  }
}
