/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Products of matrices, computed on demand: bound by CPU. A key is the seed of two square matrices;
 * the product is raised to a power that takes about the requested time.
 */
final class MatrixBackend extends BlockingBackend implements CalibratedBackend {
  private static final double SCALE = 1e-2;

  private final int dimension;
  private volatile int products;

  MatrixBackend(BackendPlan plan) {
    super(plan);
    dimension = Math.max(2, (int) Math.sqrt((plan.valueBytes() - Integer.BYTES) / 8.0));
    products = WorkCalibration.rounds(plan.workNanos(), n -> compute(0, n));
  }

  private double[] compute(int key, int times) {
    SplittableRandom random = new SplittableRandom(key);
    double[] factor = random.doubles((long) dimension * dimension, -SCALE, SCALE).toArray();
    double[] product = random.doubles((long) dimension * dimension, -1, 1).toArray();
    for (int i = 0; i < times; i++) {
      product = multiply(product, factor);
    }
    return product;
  }

  private double[] multiply(double[] a, double[] b) {
    double[] c = new double[a.length];
    for (int i = 0; i < dimension; i++) {
      for (int k = 0; k < dimension; k++) {
        double factor = a[i * dimension + k];
        for (int j = 0; j < dimension; j++) {
          c[i * dimension + j] += factor * b[k * dimension + j];
        }
      }
    }
    return c;
  }

  @Override
  public int work() {
    return products;
  }

  @Override
  public void work(int rounds) {
    products = rounds;
  }

  @Override
  Read read() {
    return keys -> {
      Map<Integer, byte[]> found = new HashMap<>();
      for (int key : keys) {
        ByteBuffer bytes = ByteBuffer.allocate(plan().valueBytes()).putInt(key);
        for (double number : compute(key, products)) {
          if (bytes.remaining() >= Double.BYTES) {
            bytes.putDouble(number);
          }
        }
        found.put(key, bytes.array());
      }
      return found;
    };
  }

  @Override
  public boolean right(int key, byte[] value) {
    return value.length == plan().valueBytes() && ByteBuffer.wrap(value).getInt() == key;
  }

  @Override
  public String describe() {
    return products
        + " products of "
        + dimension
        + "x"
        + dimension
        + " matrices a value, "
        + plan().threads()
        + " threads";
  }

  @Override
  public void close() {}
}
