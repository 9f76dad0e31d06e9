/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloserTest {
  private final List<String> closed = new ArrayList<>();

  private Closer.Step<IOException> step(String name) {
    return () -> closed.add(name);
  }

  private Closer.Step<IOException> failing(String name, Exception failure) {
    return () -> {
      closed.add(name);
      if (failure instanceof IOException checked) {
        throw checked;
      }
      throw (RuntimeException) failure;
    };
  }

  /** The failure of an arm's cache was lost if its backends failed, too. */
  @Test
  void allAreClosedAndNoFailureIsLost() {
    assertThatThrownBy(
            () -> {
              try (Closer<IOException> all = new Closer<>()) {
                all.add(step("first"));
                all.add(failing("backends", new IOException("backends")));
                all.add(failing("cache", new IllegalStateException("cache")));
                all.add(step("last"));
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("cache")
        .satisfies(
            thrown ->
                assertThat(thrown.getSuppressed())
                    .singleElement()
                    .isInstanceOf(IOException.class)
                    .hasToString("java.io.IOException: backends"));
    assertThat(closed).containsExactly("last", "cache", "backends", "first");
  }

  @Test
  void anErrorIsThrownAfterAllAreClosed() {
    assertThatThrownBy(
            () -> {
              try (Closer<IOException> all = new Closer<>()) {
                all.add(step("first"));
                all.add(
                    () -> {
                      closed.add("nodes");
                      throw new NoClassDefFoundError("nodes");
                    });
                all.add(failing("cache", new IOException("cache")));
              }
            })
        .isInstanceOf(NoClassDefFoundError.class)
        .hasSuppressedException(new IOException("cache"));
    assertThat(closed).containsExactly("cache", "nodes", "first");
  }

  @Test
  void aFailedStartIsUndoneAndItsFailureComesFirst() {
    assertThatThrownBy(
            () -> {
              try (Closer<IOException> undo = new Closer<>()) {
                undo.add(failing("node", new IOException("node")));
                throw new RunException("does not start");
              }
            })
        .isInstanceOf(RunException.class)
        .hasMessage("does not start")
        .hasSuppressedException(new IOException("node"));
  }

  @Test
  void whatIsReleasedStaysOpen() throws IOException {
    try (Closer<IOException> undo = new Closer<>()) {
      undo.add(step("node"));
      undo.release();
    }
    assertThat(closed).isEmpty();
  }
}
