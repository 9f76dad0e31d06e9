/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyProvider;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A third party's policies that cannot be used are refused, with their provider or name. */
class PoliciesTest {
  private static PolicyInfo policy(String name, Object made) {
    return PolicyInfo.named(name, "for a test").make(settings -> made);
  }

  private static Map<String, PolicyInfo> load(PolicyProvider provider) {
    return Policies.load(Map.of("select.lor", policy("select.lor", "")), List.of(provider));
  }

  @Test
  void aProviderAddsItsPolicies() {
    assertThat(load(() -> List.of(policy("select.own", "")))).hasSize(2).containsKey("select.own");
    assertThat(Policies.isForeign("select.lor")).isFalse();
    assertThat(Policies.isForeign("select.none")).isFalse();
  }

  @Test
  void aNameInUseIsRefused() {
    assertThatThrownBy(() -> load(() -> List.of(policy("select.lor", ""))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(PoliciesTest.class.getName())
        .hasMessageContaining("test-classes")
        .hasMessageEndingWith("policy = 'select.lor' is invalid: another policy has this name");
  }

  @Test
  void aNameWithoutAFamilyIsRefused() {
    assertThatThrownBy(() -> load(() -> List.of(policy("own", ""))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(PoliciesTest.class.getName())
        .hasMessageEndingWith("a policy's name is family.policy, not own");
  }

  private static final class Badly {
    static final PolicyInfo POLICY = policy("Select.Own", "");
  }

  @Test
  void theReasonOfAFailedInitializationIsTold() {
    assertThatThrownBy(() -> load(() -> List.of(Badly.POLICY)))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("a policy's name is family.policy, not Select.Own");
  }

  @Test
  void noListIsRefused() {
    assertThatThrownBy(() -> load(() -> null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("a provider returns a list of policies");
  }

  @Test
  void aProviderThatDoesNotExistIsRefused() {
    Iterator<PolicyProvider> none =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            throw new ServiceConfigurationError("Provider example.Own not found");
          }

          @Override
          public PolicyProvider next() {
            throw new NoSuchElementException();
          }
        };
    assertThatThrownBy(() -> Policies.load(Map.of(), () -> none))
        .isInstanceOf(ConfigException.class)
        .hasMessage("policies of a third party: cannot be read: Provider example.Own not found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select.own",
        "order.own",
        "fanout.own",
        "oracle.size-own",
        "oracle.popularity-own",
        "idle.own"
      })
  void aFactoryThatMakesNothingOfItsFamilyIsRefused(String name) {
    assertThatThrownBy(() -> PolicyMaker.make(policy(name, null)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(name + ": factory = 'null' is invalid: it must make a ");
    assertThatThrownBy(() -> PolicyMaker.make(policy(name, "a text")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("java.lang.String");
  }

  @Test
  void anUnknownNameTellsWhereOwnPoliciesComeFrom() {
    assertThatThrownBy(
            () -> Strategy.parse("own.yaml", "strategy: { select: select.own }", () -> 0))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("one of select.stock")
        .hasMessageEndingWith(
            "; a policy of your own needs its jar, which MANX_POLICIES names for ./manx");
  }
}
