/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.jetbrains.kotlinx.lincheck.strategy.managed.ManagedStrategyGuaranteeKt.forClasses;

import dev.manx.client.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;

/**
 * Concurrent loads, late answers, puts and invalidations of the same keys, as operations of
 * Lincheck: a query that begins after a confirmed change finds no older value, and in the end the
 * store has no old value.
 *
 * <p>The maps inside {@link Owners} are treated as atomic, and so are futures with their callbacks;
 * checking Caffeine is out of scope. Otherwise nearly all schedules for which Lincheck has time
 * would differ only in steps inside these maps. {@code ConcurrentHashMap.compute} excludes other
 * updates of its key, but neither its reading nor an iteration over the map: {@link LateAnswerTest}
 * stops inside it.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public abstract class OwnersOperations {
  private static final int KEYS = 2;

  /** A store whose steps are atomic. */
  abstract static class Slots implements Store<Integer, Integer> {
    final AtomicReferenceArray<Integer> slots = new AtomicReferenceArray<>(KEYS);

    @Override
    public CompletionStage<Void> clear() {
      for (int key = 0; key < KEYS; key++) {
        slots.set(key, null);
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Long> resize(long bytes) {
      throw new AssertionError();
    }

    @Override
    public long allocatedBytes() {
      return 0;
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private final AtomicReferenceArray<Integer> slots;
  private final Owners<Integer, Integer> owners;
  private final boolean local;

  /**
   * @param remote sends to the store; returns null if it is in this process
   */
  OwnersOperations(
      Slots store, BiFunction<Slots, BackendCounters, RemoteWrites<Integer, Integer>> remote) {
    slots = store.slots;
    BackendCounters counters = new BackendCounters("songs");
    RemoteWrites<Integer, Integer> writes = remote.apply(store, counters);
    local = writes == null;
    owners =
        new Owners<>(
            store,
            writes,
            new NegativeCache<>(
                BackendSettings.DEFAULTS.withRememberAbsent(Duration.ZERO), System::nanoTime),
            counters);
  }

  // Versions of keys at the backend, and at the last confirmed change.
  private final AtomicIntegerArray written = new AtomicIntegerArray(KEYS);
  private final AtomicIntegerArray confirmed = new AtomicIntegerArray(KEYS);

  /** Whether a query's answer is not older than the state confirmed at its start. */
  @Operation
  public boolean query(@Param(name = "key") int key) {
    return query(key, false);
  }

  /** As above, but its load times out before the backend answers. */
  @Operation
  public boolean queryTimesOut(@Param(name = "key") int key) {
    return query(key, true);
  }

  private boolean query(int key, boolean late) {
    int least = confirmed.get(key);
    Integer hit = slots.get(key);
    if (hit != null) {
      return hit >= least;
    }
    LoaderCall<Integer, Integer> load = new LoaderCall<>(true, 1, null);
    LoaderCall<Integer, Integer> other = owners.claim(key, load);
    if (other != null) {
      // A value read by the other query is this query's answer too.
      CompletionStage<? extends Map<Integer, Integer>> read = other.stage;
      return read == null || read.toCompletableFuture().join().get(key) >= least;
    }
    // A remote store is not asked again.
    Integer here = local ? slots.get(key) : null;
    if (here != null) {
      load.already(key, here);
      load.stage = CompletableFuture.completedFuture(Map.of(key, here));
      owners.release(load);
      return here >= least;
    }
    load.keys.add(key);
    if (late) {
      owners.late(load);
    }
    Map<Integer, Integer> answer = Map.of(key, written.get(key));
    load.stage = CompletableFuture.completedFuture(answer);
    owners.keep(load, answer, !late);
    owners.release(load);
    return answer.get(key) >= least;
  }

  /** The application has one writer: with two concurrent ones it could not know which is later. */
  @Operation(nonParallelGroup = "writer")
  public void invalidate(@Param(name = "key") int key) {
    int version = written.incrementAndGet(key);
    confirm(owners.invalidate(List.of(key)), key, version);
  }

  @Operation(nonParallelGroup = "writer")
  public void put(@Param(name = "key") int key) {
    int version = written.incrementAndGet(key);
    confirm(owners.put(Map.of(key, version)), key, version);
  }

  @Operation(nonParallelGroup = "writer")
  public void invalidateAll() {
    int[] versions = new int[KEYS];
    for (int key = 0; key < KEYS; key++) {
      versions[key] = written.incrementAndGet(key);
    }
    CompletionStage<Void> done = owners.invalidateAll();
    for (int key = 0; key < KEYS; key++) {
      confirm(done, key, versions[key]);
    }
  }

  /** A change that has to wait may be confirmed after a later one. */
  private void confirm(CompletionStage<Void> change, int key, int version) {
    CompletionStage<Void> unused =
        change.whenComplete(
            (done, failure) -> {
              if (failure == null) {
                confirmed.accumulateAndGet(key, version, Math::max);
              }
            });
  }

  @Validate
  public void nothingOldIsKept() {
    for (int key = 0; key < KEYS; key++) {
      Integer kept = slots.get(key);
      if (kept != null && kept != written.get(key)) {
        throw new AssertionError("key " + key + ": " + kept + " of " + written.get(key));
      }
      if (confirmed.get(key) != written.get(key)) {
        throw new AssertionError("key " + key + ": its last change was not confirmed");
      }
    }
    if (owners.keysInFlight() != 0) {
      throw new AssertionError("keys that no load frees any more");
    }
  }

  private static boolean isMap(String name) {
    return name.startsWith("java.util.concurrent.")
        || name.startsWith("com.github.benmanes.caffeine.");
  }

  private static boolean isOfOneThread(String name) {
    return name.startsWith("java.util.") && !isMap(name);
  }

  /**
   * Each kind of query concurrent with each kind of change, while the store has the key or does
   * not: small enough that nearly all schedules with two thread switches are tried.
   */
  private List<ExecutionScenario> pairs() throws NoSuchMethodException {
    List<ExecutionScenario> pairs = new ArrayList<>();
    for (Actor query : List.of(actor("query", 0), actor("queryTimesOut", 0))) {
      for (Actor change :
          List.of(actor("invalidate", 0), actor("put", 0), actor("invalidateAll"))) {
        for (List<Actor> before : List.of(List.<Actor>of(), List.of(actor("query", 0)))) {
          List<List<Actor>> atOnce = List.of(List.of(query), List.of(change));
          pairs.add(new ExecutionScenario(before, atOnce, List.of(actor("query", 0)), null));
        }
      }
    }
    return pairs;
  }

  private Actor actor(String operation, Integer... keys) throws NoSuchMethodException {
    Class<?>[] types = new Class<?>[keys.length];
    Arrays.fill(types, int.class);
    return new Actor(getClass().getMethod(operation, types), List.<Object>of((Object[]) keys));
  }

  /** Tries schedules of the operations of this class. */
  final void check() throws NoSuchMethodException {
    ModelCheckingOptions options =
        new ModelCheckingOptions()
            .iterations(5)
            .invocationsPerIteration(150)
            .threads(2)
            .actorsPerThread(2)
            .actorsBefore(1)
            .actorsAfter(1)
            .addGuarantee(forClasses(OwnersOperations::isOfOneThread).allMethods().ignore())
            .addGuarantee(forClasses(OwnersOperations::isMap).allMethods().treatAsAtomic());
    pairs().forEach(options::addCustomScenario);
    LinChecker.check(getClass(), options);
  }
}
