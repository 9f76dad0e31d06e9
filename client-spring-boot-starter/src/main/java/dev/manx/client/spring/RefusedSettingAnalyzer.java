/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.policy.config.ConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains in two sentences why the application did not start, instead of a stack trace. Ignores
 * settings that the application reads from its own files.
 */
final class RefusedSettingAnalyzer extends AbstractFailureAnalyzer<ConfigException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, ConfigException cause) {
    if (!cause.getMessage().startsWith(CacheProperties.SOURCE + ":")) {
      return null;
    }
    return new FailureAnalysis(
        cause.getMessage(),
        "Correct the property below " + CacheProperties.PREFIX + ", or add the artifact named.",
        cause);
  }
}
