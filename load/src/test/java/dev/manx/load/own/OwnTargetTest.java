/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The remedy for a missing permission. */
class OwnTargetTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "looker | <table shop.items> | ; GRANT SELECT ON TABLE shop.items TO looker",
        "Looker | <table Shop.Items> | ; GRANT SELECT ON TABLE \"Shop\".\"Items\" TO \"Looker\"",
        "the app | <table shop.items> | ; GRANT SELECT ON TABLE shop.items TO \"the app\"",
        "looker | <all functions> | ''"
      })
  void theGrantCanBeCopied(String user, String resource, String grant) {
    assertThat(
            OwnTarget.grant(
                "User "
                    + user
                    + " has no SELECT permission on "
                    + resource
                    + " or any of its parents"))
        .isEqualTo(grant);
  }
}
