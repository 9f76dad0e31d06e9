/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/** Prints nothing, for tests that assert on files. */
public final class SilentProgress implements Progress {
  @Override
  public void step(String text) {}

  @Override
  public void now(String text) {}
}
