/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless the cache is switched off. Unlike Spring Boot's condition on a boolean property,
 * it does not take a misspelt value for false.
 */
final class CacheEnabled extends SpringBootCondition {
  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    String property = CacheProperties.PREFIX + "." + CacheProperties.ENABLED;
    boolean enabled = CacheProperties.enabled(context.getEnvironment());
    return new ConditionOutcome(
        enabled, ConditionMessage.of(property + " is " + (enabled ? "not false" : "false")));
  }
}
