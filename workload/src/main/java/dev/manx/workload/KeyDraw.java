/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;

/** Draws keys by their popularity. One thread. */
public final class KeyDraw {
  private static final int MAX_TRIES = 64;

  /** Null if each key's id is its rank. */
  private final int[] ids;

  private final int keys;
  private final DiscreteSampler ranks;

  /**
   * Draws among keys whose ids are their ranks, from 0.
   *
   * @param keys their number, at least one
   */
  public KeyDraw(int keys, Popularity popularity, UniformRandomProvider random) {
    this(null, keys, popularity, random);
  }

  /**
   * Draws among some keys.
   *
   * @param ids the keys, at least one, the hottest first; not copied
   */
  KeyDraw(int[] ids, Popularity popularity, UniformRandomProvider random) {
    this(ids, ids.length, popularity, random);
  }

  private KeyDraw(int[] ids, int keys, Popularity popularity, UniformRandomProvider random) {
    this.ids = ids;
    this.keys = keys;
    if (popularity instanceof Popularity.Zipf zipf && zipf.exponent() > 0) {
      DiscreteSampler fromOne = RejectionInversionZipfSampler.of(random, keys, zipf.exponent());
      ranks = () -> fromOne.sample() - 1;
    } else {
      ranks = () -> random.nextInt(keys);
    }
  }

  /**
   * Draws until the key is new; after a bounded number of tries takes the next free rank.
   *
   * @param taken the keys drawn so far, fewer than there are; the new one is added
   */
  public int distinct(IdSet taken) {
    int rank = ranks.sample();
    for (int tries = 1; tries < MAX_TRIES; tries++) {
      int id = id(rank);
      if (taken.add(id)) {
        return id;
      }
      rank = ranks.sample();
    }
    while (!taken.add(id(rank))) {
      rank = (rank + 1) % keys;
    }
    return id(rank);
  }

  private int id(int rank) {
    return ids == null ? rank : ids[rank];
  }
}
