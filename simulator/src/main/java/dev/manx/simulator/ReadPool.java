/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.kernel.Calendar;
import java.util.Arrays;

/** Reads and flights, created when needed and reused. Confined to one thread. */
final class ReadPool {
  private Read[] reads = new Read[1024];
  private int[] free = new int[1024];
  private int made;
  private int freeCount;
  private long numbers;
  private Flight freeFlight;

  Read take() {
    Read read;
    if (freeCount > 0) {
      read = reads[free[--freeCount]];
    } else {
      if (made == reads.length) {
        grow();
      }
      read = new Read(made);
      reads[made++] = read;
    }
    read.number = numbers++;
    read.holds = 1;
    read.place = Read.Place.AWAY;
    read.ticketOpen = false;
    read.isOver = false;
    return read;
  }

  Read get(int index) {
    return reads[index];
  }

  /** Releases a reference to a read; without references it may be reused. */
  void release(Read read) {
    if (--read.holds > 0) {
      return;
    }
    read.flight = null;
    read.twins = null;
    read.after = null;
    read.quorum = null;
    read.nextContact = null;
    free[freeCount++] = read.index;
  }

  Flight takeFlight() {
    Flight flight = freeFlight;
    if (flight == null) {
      return new Flight();
    }
    freeFlight = flight.nextFree;
    return flight;
  }

  void give(Flight flight) {
    flight.due = null;
    flight.waiting = null;
    flight.late = 0;
    flight.nextFree = freeFlight;
    freeFlight = flight;
  }

  private void grow() {
    if (made * 2 > Calendar.PAYLOADS) {
      throw new IllegalStateException(
          "more than "
              + made
              + " reads in progress or awaited by the timers of their copies: the load is far"
              + " beyond the capacity, or copies are due after too long a time");
    }
    reads = Arrays.copyOf(reads, made * 2);
    free = Arrays.copyOf(free, made * 2);
  }
}
