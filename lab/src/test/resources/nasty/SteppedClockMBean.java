/* SPDX-License-Identifier: Apache-2.0 */
package nasty;

public interface SteppedClockMBean {
  long getStepMillis();

  void setStepMillis(long millis);
}
