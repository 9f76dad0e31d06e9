/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AliasMethodDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.LogNormalSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Requests drawn from classes: each queries each backend with the probability of its class, for a
 * geometric number of objects, each drawn by Zipf's law. Requests without queries are drawn again.
 */
final class SyntheticQueries implements QuerySource {
  /** Largest number of queries of a request to one backend. */
  static final int MOST = 300;

  private static final int BISECTIONS = 100;

  private final CacheModel model;
  private final UniformRandomProvider shape;
  private final DiscreteSampler[] objects;
  private final int[][] bytes;
  private final double[] logNone;

  SyntheticQueries(CacheModel model, Popularities popularities, Streams streams) {
    this.model = model;
    this.shape = streams.sampler(Purpose.WIDTHS);
    int n = model.backends().size();
    objects = new DiscreteSampler[n];
    bytes = new int[n][];
    logNone = new double[n];
    UniformRandomProvider keys = streams.sampler(Purpose.KEYS);
    UniformRandomProvider sizes = streams.sampler(Purpose.SIZES);
    double mu = Math.log(model.objectBytes()) - model.sizeSigma() * model.sizeSigma() / 2;
    ContinuousSampler lognormal =
        LogNormalSampler.of(ZigguratSampler.NormalizedGaussian.of(sizes), mu, model.sizeSigma());
    for (int b = 0; b < n; b++) {
      BackendModel backend = model.backends().get(b);
      objects[b] = popularities.of(backend).withUniformRandomProvider(keys);
      bytes[b] = new int[backend.objects()];
      for (int i = 0; i < bytes[b].length; i++) {
        long size = Math.round(lognormal.sample());
        bytes[b][i] = (int) Math.max(model.leastBytes(), Math.min(model.mostBytes(), size));
      }
      logNone[b] = logRatio(backend.batchMean());
    }
  }

  @Override
  public void next(Batch batch) {
    while (batch.queries() == 0) {
      List<Double> chances = kind().chances();
      for (int b = 0; b < objects.length; b++) {
        if (shape.nextDouble() < chances.get(b)) {
          batch.backend(b);
          for (int left = batchSize(b); left > 0; left--) {
            batch.query(objects[b].sample(), true);
          }
        }
      }
    }
  }

  private RequestKind kind() {
    double drawn = shape.nextDouble();
    List<RequestKind> kinds = model.kinds();
    for (int i = 0; i < kinds.size() - 1; i++) {
      drawn -= kinds.get(i).weight();
      if (drawn < 0) {
        return kinds.get(i);
      }
    }
    return kinds.get(kinds.size() - 1);
  }

  /**
   * Logarithm of the ratio of a geometric distribution from 1 that has a given mean after the
   * numbers above {@value #MOST} have become {@value #MOST}; below 0.
   */
  static double logRatio(double mean) {
    double uncut = Math.log1p(-1 / mean);
    // The cut takes less than a thousandth of the mean.
    if (Math.exp(MOST * uncut) < 0.001) {
      return uncut;
    }
    // The cut mean is (1 - ratio^MOST) / (1 - ratio). A mean of MOST itself has no ratio below 1.
    double low = uncut;
    double high = -1e-12;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (Math.expm1(MOST * middle) / Math.expm1(middle) < mean) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private int batchSize(int backend) {
    double u = 1 - shape.nextDouble();
    return (int) Math.min(MOST, 1 + Math.floor(Math.log(u) / logNone[backend]));
  }

  @Override
  public int objects(int backend) {
    return bytes[backend].length;
  }

  @Override
  public int bytes(int backend, int object) {
    return bytes[backend][object];
  }

  /** Tables of Zipf's law, created once for all runs of an experiment. Thread-safe. */
  static final class Popularities {
    private final Map<List<Object>, SharedStateDiscreteSampler> tables = new HashMap<>();

    synchronized SharedStateDiscreteSampler of(BackendModel backend) {
      List<Object> key = new ArrayList<>(List.of(backend.objects(), backend.zipfExponent()));
      return tables.computeIfAbsent(
          key,
          k -> {
            double[] chances = new double[backend.objects()];
            for (int i = 0; i < chances.length; i++) {
              chances[i] = Math.pow(i + 1, -backend.zipfExponent());
            }
            return AliasMethodDiscreteSampler.of(new Streams(0).sampler(Purpose.KEYS), chances);
          });
    }
  }
}
