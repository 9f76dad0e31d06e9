/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** An endless sequence of requests, in the order of their intended starts. One thread. */
@FunctionalInterface
public interface Requests {
  /** The next request. */
  PlannedRequest next();
}
