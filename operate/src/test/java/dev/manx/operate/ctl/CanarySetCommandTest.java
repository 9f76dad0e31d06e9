/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.connect.NodeException;
import dev.manx.load.connect.NodeException.Kind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CanarySetCommandTest {
  /** A node of a datacenter that was not chosen may be unreachable. */
  @Test
  void theFirstNodeThatAnswersKnowsTheTables() {
    Set<String> silent =
        CanarySetCommand.answer(
            cql -> {
              throw new NodeException(Kind.UNREACHABLE, "nothing listens there", null);
            });
    assertThat(silent).isEmpty();
    assertThat(CanarySetCommand.known(List.of(silent, Set.of("shop"), Set.of("other"))))
        .containsExactly("shop");
    assertThat(CanarySetCommand.known(List.of(silent))).isEmpty();
  }

  /** Manx plans the reads of a materialized view too, so a canary may name it. */
  @Test
  void tablesAndViewsMayBeNamed() {
    Map<String, List<Map<String, Object>>> schema =
        Map.of(
            "SELECT keyspace_name, table_name FROM system_schema.tables",
            List.of(Map.of("keyspace_name", "shop", "table_name", "carts")),
            "SELECT keyspace_name, view_name FROM system_schema.views",
            List.of(Map.of("keyspace_name", "shop", "view_name", "carts_by_user")));
    assertThat(CanarySetCommand.names(schema::get))
        .containsExactlyInAnyOrder("shop", "shop.carts", "shop.carts_by_user");
  }
}
