/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.Loader;
import dev.manx.client.store.Sizers;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The README's quick start. */
public final class QuickStart {
  private QuickStart() {}

  /** One page built from two backends. */
  public static String page() {
    // quick start
    try (FanoutCache cache = FanoutCache.builder().capacity(64 << 20).open()) {
      Backend<Integer, String> songs =
          cache.add(
              BackendSpec.of(
                  "songs",
                  Sizers.of(Sizers::number, Sizers::text),
                  Loader.onThreads(8, 1_000, QuickStart::readSongs)));
      Backend<String, String> users =
          cache.add(
              BackendSpec.of("users", Sizers.of(Sizers::text, Sizers::text), UserService::load));
      try (FanoutRequest request = cache.request()) {
        CompletableFuture<Map<Integer, String>> playlist = request.query(songs, List.of(7, 9));
        CompletableFuture<String> owner = request.queryOne(users, "ada");
        return owner.join() + " hears " + playlist.join().values();
      }
    }
    // end
  }

  /** A blocking backend, such as JDBC: keys in, values out; here the values are invented. */
  private static Map<Integer, String> readSongs(List<Integer> ids) {
    Map<Integer, String> songs = new HashMap<>();
    ids.forEach(id -> songs.put(id, "song " + id));
    return songs;
  }

  /** An asynchronous backend. */
  private static final class UserService {
    static CompletableFuture<Map<String, String>> load(List<String> names) {
      Map<String, String> users = new HashMap<>();
      names.forEach(name -> users.put(name, name.toUpperCase(Locale.ROOT)));
      return CompletableFuture.completedFuture(users);
    }
  }
}
