/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import dev.manx.client.store.remote.Link;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Really shrinks a memcached. {@code cache_memlimit} alone frees nothing: memory consists of pages
 * of 1 MiB, each bound to a size class, and a page is freed only by {@code slabs reassign CLASS 0}
 * while the limit is exceeded. One page moves at a time; until it has moved, the response is {@code
 * BUSY}.
 *
 * <p>Every class keeps its last page, whatever the limit: such pages are not counted as used.
 */
final class SlabPages {
  static final long PAGE_BYTES = 1L << 20;

  private static final long FIRST_WAIT_MILLIS = 1;
  private static final long LONGEST_WAIT_MILLIS = 16;

  private final MemcachedAdmin admin;

  SlabPages(MemcachedAdmin admin) {
    this.admin = admin;
  }

  /**
   * Frees pages until the limit is met.
   *
   * @return the limit, or the bytes still used at the deadline
   */
  long shrink(long limitBytes, long deadlineNanos) throws IOException, InterruptedException {
    long wait = FIRST_WAIT_MILLIS;
    while (true) {
      Map<String, String> slabs = admin.stats("slabs");
      long held = MemcachedAdmin.number(slabs, "total_malloced");
      if (held <= limitBytes) {
        return limitBytes;
      }
      int from = oldest(slabs);
      if (from < 0) {
        return limitBytes;
      }
      if (System.nanoTime() - deadlineNanos > 0) {
        return held;
      }
      String answer = admin.ask("slabs reassign " + from + " 0");
      if (answer.startsWith("OK")) {
        wait = FIRST_WAIT_MILLIS;
      } else if (answer.startsWith("BUSY")) {
        Thread.sleep(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT_MILLIS);
      } else if (answer.startsWith("NOSPARE")) {
        // The page mover has just taken it; reads the state again.
        Thread.sleep(FIRST_WAIT_MILLIS);
      } else {
        throw new Link.RefusedException("slabs reassign: " + answer);
      }
    }
  }

  /**
   * The class to take a page from: among classes with spare pages, the one with the oldest object,
   * as a global LRU would choose; -1 if there is none.
   */
  private int oldest(Map<String, String> slabs) throws IOException {
    Map<Integer, Long> spare = new TreeMap<>();
    for (Map.Entry<String, String> stat : slabs.entrySet()) {
      String name = stat.getKey();
      if (name.endsWith(":total_pages") && Long.parseLong(stat.getValue()) > 1) {
        spare.put(Integer.parseInt(name.substring(0, name.indexOf(':'))), 0L);
      }
    }
    if (spare.size() > 1) {
      Map<String, String> items = admin.stats("items");
      // A class without objects counts as oldest.
      spare.replaceAll((id, age) -> age(items.get("items:" + id + ":age")));
    }
    return spare.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(-1);
  }

  private static long age(String seconds) {
    return seconds == null ? Long.MAX_VALUE : Long.parseLong(seconds);
  }
}
