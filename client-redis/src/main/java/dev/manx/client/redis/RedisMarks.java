/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.remote.StoreClaim;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The keys that record the owner of an instance. */
final class RedisMarks implements StoreClaim.Markers {
  private final RedisAsyncCommands<String, byte[]> redis;
  private final Answers answers;
  private final int database;

  RedisMarks(RedisAsyncCommands<String, byte[]> redis, Answers answers, int database) {
    this.redis = redis;
    this.answers = answers;
    this.database = database;
  }

  @Override
  public String get(String key) throws IOException {
    byte[] value = answers.ask(redis.get(key));
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  @Override
  public boolean add(String key, String value, Duration expiry) throws IOException {
    SetArgs ifAbsent = SetArgs.Builder.nx().px(expiry.toMillis());
    return "OK".equals(answers.ask(redis.set(key, bytes(value), ifAbsent)));
  }

  @Override
  public void set(String key, String value, Duration expiry) throws IOException {
    if (expiry == null) {
      answers.ask(redis.set(key, bytes(value)));
    } else if (value.equals(get(key))) {
      // A full server without eviction accepts this, but no SET.
      answers.ask(redis.pexpire(key, expiry.toMillis()));
    } else {
      answers.ask(redis.set(key, bytes(value), SetArgs.Builder.px(expiry.toMillis())));
    }
  }

  /** Limit and evictions concern the whole instance, so other databases count too. */
  @Override
  public String foreign(boolean owned) throws IOException {
    for (String line : answers.ask(redis.info("keyspace")).split("\r?\n", -1)) {
      boolean own = line.startsWith("db" + database + ":");
      if (line.startsWith("db") && !(own && owned)) {
        return "keys that are not Manx's (" + line + ")";
      }
    }
    return null;
  }

  private static byte[] bytes(String value) {
    return value.getBytes(StandardCharsets.UTF_8);
  }
}
