/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Cache;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Service;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.simulator.source.Draw;
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

  /**
   * Draws the times of a request's reads.
   *
   * @param largeFromBytes size from which a value is large
   */
  void draw(Draw draw, int largeFromBytes, Times into) {
    into.reserve(draw);
    for (int read = 0, reads = draw.reads(); read < reads; read++) {
      int bytes = draw.bytes(read);
      for (int rank = 0, contacts = draw.contacts(read); rank < contacts; rank++) {
        long known = draw.serviceNanos(read, rank);
        into.baseNanos[draw.execution(read, rank)] = known > 0 ? known : drawNanos(bytes);
      }
      if (forecasts.knowledge() != Knowledge.STRATEGY) {
        forecast(draw, read, bytes >= largeFromBytes, into);
      }
    }
  }

  /** Service time of a value at speed 1, without a miss; at least 1. */
  private long drawNanos(int bytes) {
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

  /** Forecasts a read whose service time is drawn or recorded. */
  private void forecast(Draw draw, int read, boolean large, Times into) {
    int bytes = draw.bytes(read);
    boolean isRecorded = draw.serviceNanos(read, 0) > 0;
    long missed = Math.round(missNanos + bytes * missPerByteNanos);
    long nanos;
    if (forecasts.knowledge() == Knowledge.EXACT) {
      nanos = into.baseNanos[read] + missed;
    } else if (isRecorded) {
      nanos = draw.forecastNanos(read) + missed;
    } else {
      nanos = Math.max(1, Math.round(meanNanos(bytes)));
    }
    if (!isRecorded
        && forecasts.falseLarge() > 0
        && !large
        && errors.nextDouble() < forecasts.falseLarge()) {
      bytes = forecasts.falseLargeBytes();
      nanos = Math.round(meanNanos(bytes));
    }
    double factor = error();
    into.forecastNanos[read] = Math.max(1, factor == 1 ? nanos : Math.round(nanos * factor));
    into.forecastBytes[read] =
        factor == 1 ? bytes : (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes * factor));
  }

  /** The factor on a forecast. */
  private double error() {
    double factor = forecasts.bias();
    if (forecasts.sigma() > 0) {
      double error = forecasts.sigma();
      factor *= Math.exp(error * errorNormal.sample() - error * error / 2);
    }
    return factor;
  }
}
