/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Cache;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Draws service times and forecasts together with a request, so that all arms of a seed have the
 * same ones. Confined to one thread.
 */
final class ServiceTimes {
  private static final Cache NO_MISSES = new Cache(0, 0, 0, 0);

  private final Service service;
  private final Forecasts forecasts;
  // Without a cache every read is a miss, and coordinators know this.
  private final double missNanos;
  private final double missPerByteNanos;
  private final ZigguratSampler.Exponential exponential;
  private final ZigguratSampler.NormalizedGaussian normal;
  private final double sigma;
  private final UniformRandomProvider errors;
  private final ZigguratSampler.NormalizedGaussian errorNormal;

  ServiceTimes(ModelSpec model, Streams streams) {
    service = model.service();
    forecasts = model.forecast();
    Cache misses = model.cache().filter(cache -> cache.bytesPerNode() == 0).orElse(NO_MISSES);
    missNanos = misses.missNanos();
    missPerByteNanos = misses.missPerByteNanos();
    UniformRandomProvider random = streams.sampler(Purpose.SERVICE);
    exponential = ZigguratSampler.Exponential.of(random);
    normal = ZigguratSampler.NormalizedGaussian.of(random);
    sigma = lognormalSigma(service.cv());
    errors = streams.sampler(Purpose.ORACLE);
    errorNormal = ZigguratSampler.NormalizedGaussian.of(errors);
  }

  /** Sigma of a lognormal with a coefficient of variation. */
  static double lognormalSigma(double cv) {
    return Math.sqrt(Math.log1p(cv * cv));
  }

  /** Service time of a value at speed 1, without a miss; at least 1. */
  long drawNanos(int bytes) {
    double nanos = service.meanNanos(bytes);
    if (service.scatter() == Scatter.EXPONENTIAL) {
      nanos *= exponential.sample();
    } else if (service.scatter() == Scatter.LOGNORMAL) {
      nanos *= Math.exp(sigma * normal.sample() - sigma * sigma / 2);
    }
    return Math.max(1, Math.round(nanos));
  }

  private double meanNanos(int bytes) {
    return service.meanNanos(bytes) + missNanos + bytes * missPerByteNanos;
  }

  /** The forecast for a value whose service time was drawn; not for strategies that forecast. */
  long forecastNanos(int bytes, boolean large, long drawnNanos) {
    long nanos =
        forecasts.knowledge() == Knowledge.EXACT
            ? drawnNanos + Math.round(missNanos + bytes * missPerByteNanos)
            : Math.max(1, Math.round(meanNanos(bytes)));
    if (forecasts.falseLarge() > 0 && !large && errors.nextDouble() < forecasts.falseLarge()) {
      nanos = Math.round(meanNanos(forecasts.falseLargeBytes()));
    }
    return Math.max(1, withError(nanos));
  }

  /**
   * The forecast for a read whose times were recorded.
   *
   * @param recordedNanos the forecast that its coordinator made
   * @param serviceNanos its service time at speed 1, without a miss
   */
  long forecastNanos(int bytes, long recordedNanos, long serviceNanos) {
    long nanos = forecasts.knowledge() == Knowledge.EXACT ? serviceNanos : recordedNanos;
    return withError(nanos + Math.round(missNanos + bytes * missPerByteNanos));
  }

  private long withError(long nanos) {
    double factor = forecasts.bias();
    if (forecasts.sigma() > 0) {
      double error = forecasts.sigma();
      factor *= Math.exp(error * errorNormal.sample() - error * error / 2);
    }
    return factor == 1 ? nanos : Math.max(1, Math.round(nanos * factor));
  }
}
