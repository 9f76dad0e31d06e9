/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;

/** Draws keys by their popularity. One thread. */
final class KeyDraw {
  private static final int MAX_TRIES = 64;

  private final int[] ids;
  private final DiscreteSampler ranks;

  /**
   * Draws among some keys.
   *
   * @param ids the keys, at least one, the hottest first; not copied
   */
  KeyDraw(int[] ids, Popularity popularity, UniformRandomProvider random) {
    this.ids = ids;
    if (popularity instanceof Popularity.Zipf zipf && zipf.exponent() > 0) {
      DiscreteSampler fromOne =
          RejectionInversionZipfSampler.of(random, ids.length, zipf.exponent());
      ranks = () -> fromOne.sample() - 1;
    } else {
      ranks = () -> random.nextInt(ids.length);
    }
  }

  /**
   * Draws until the key is new; after a bounded number of tries takes the next free rank.
   *
   * @param taken the keys drawn so far, fewer than there are; the new one is added
   */
  int distinct(IdSet taken) {
    int rank = ranks.sample();
    for (int tries = 1; tries < MAX_TRIES; tries++) {
      int id = ids[rank];
      if (taken.add(id)) {
        return id;
      }
      rank = ranks.sample();
    }
    while (!taken.add(ids[rank])) {
      rank = (rank + 1) % ids.length;
    }
    return ids[rank];
  }
}
