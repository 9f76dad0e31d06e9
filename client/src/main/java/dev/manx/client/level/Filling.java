/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.store.Codec;
import dev.manx.client.store.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Stores the values of a load for which its look-up obtained a token. Thread-safe. */
final class Filling<K, V> {
  private final Commands commands;
  private final Codec<K, V> codec;
  private final LevelPart.Life<K, V> life;
  private final long largestBytes;
  private final LongSupplier clockMillis;
  private final UnaryOperator<String> names;
  private final LongAdder fills;
  private final LongAdder refused;
  private final LongAdder tooLarge;
  private final EntryFailures failures;

  /**
   * @param largestBytes larger values are not stored
   * @param names converts key texts to names
   */
  Filling(
      Commands commands,
      Codec<K, V> codec,
      LevelPart.Life<K, V> life,
      long largestBytes,
      LongSupplier clockMillis,
      UnaryOperator<String> names,
      LongAdder fills,
      LongAdder refused,
      LongAdder tooLarge,
      EntryFailures failures) {
    this.commands = commands;
    this.codec = codec;
    this.life = life;
    this.largestBytes = largestBytes;
    this.clockMillis = clockMillis;
    this.names = names;
    this.fills = fills;
    this.refused = refused;
    this.tooLarge = tooLarge;
    this.failures = failures;
  }

  private record Fill(byte[] token, byte[] value, Duration expiry) {}

  /**
   * Stores values; never fails.
   *
   * @param failed keys that may exist although they have no value
   */
  CompletionStage<Void> fill(LevelLookUp<K, V> look, Map<K, V> values, Set<K> failed) {
    Map<String, Fill> fills = new HashMap<>();
    List<String> gone = new ArrayList<>();
    look.tokens()
        .forEach(
            (key, token) -> {
              String text = Texts.of(codec, key, failures::key);
              Fill fill = text == null ? null : fill(look, key, values.get(key), token);
              if (fill != null) {
                fills.put(names.apply(text), fill);
              } else if (text != null && look.isOld(key) && !failed.contains(key)) {
                gone.add(names.apply(text));
              }
            });
    return commands
        .send(fills.keySet(), (link, some) -> Commands.each(some, name -> put(link, name, fills)))
        .thenCombine(commands.send(gone, LevelLink::delete), (put, deleted) -> null);
  }

  /** The command that stores a value; null if the value must not be stored. */
  private Fill fill(LevelLookUp<K, V> look, K key, V value, byte[] token) {
    if (value == null) {
      return null;
    }
    try {
      long age = Math.max(0, clockMillis.getAsLong() - look.begunMillis());
      long left = life.millis(key, value) - age;
      if (left <= 0) {
        return null;
      }
      byte[] encoded = codec.encode(value);
      if (encoded.length > largestBytes) {
        tooLarge.increment();
        return null;
      }
      byte[] bytes =
          Entry.value(
              look.epoch(), ThreadLocalRandom.current().nextLong(), look.begunMillis(), encoded);
      return new Fill(token, bytes, Duration.ofMillis(left));
    } catch (Throwable e) {
      failures.write(e);
      return null;
    }
  }

  private CompletionStage<?> put(LevelLink link, String name, Map<String, Fill> fills) {
    Fill fill = fills.get(name);
    return link.replace(name, fill.token, fill.value, fill.expiry)
        .thenAccept(done -> (done ? this.fills : refused).increment());
  }
}
