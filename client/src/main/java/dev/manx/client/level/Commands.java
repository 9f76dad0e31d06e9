/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/** Sends commands for many names, grouped by server. Thread-safe. */
final class Commands {
  private final Access access;
  private final LongAdder failures;

  /** The command for the names of one server. */
  interface Part {
    CompletionStage<?> send(LevelLink link, List<String> names);
  }

  /**
   * @param failures counts failed commands
   */
  Commands(Access access, LongAdder failures) {
    this.access = access;
    this.failures = failures;
  }

  /** Sends the commands; completes, never exceptionally, when all have ended. */
  CompletableFuture<Void> send(Collection<String> names, Part part) {
    Map<String, List<String>> byPlace = new HashMap<>();
    for (String name : names) {
      byPlace.computeIfAbsent(access.place(name), place -> new ArrayList<>()).add(name);
    }
    List<CompletableFuture<?>> sent = new ArrayList<>();
    byPlace.forEach(
        (place, some) ->
            sent.add(
                access
                    .<Object>send(place, link -> part.send(link, some))
                    .handle(
                        (done, failure) -> {
                          failures.add(failure == null ? 0 : 1);
                          return null;
                        })));
    return CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new));
  }

  /** Sends one command for each name. */
  static CompletionStage<Void> each(
      Collection<String> names, Function<String, CompletionStage<?>> command) {
    return CompletableFuture.allOf(
        names.stream()
            .map(name -> command.apply(name).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }
}
