/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.PlannedRequest;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** A system under load. */
public interface Target {
  /**
   * Starts a request without waiting for it; called by the dispatching thread only. An exception or
   * an exceptional completion counts as an error. The stage may complete on any thread.
   */
  CompletionStage<RequestOutcome> send(PlannedRequest request);

  /** The settings to show in a report, by name. */
  default Map<String, String> describe() {
    return Map.of();
  }
}
