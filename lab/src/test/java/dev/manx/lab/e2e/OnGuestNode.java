/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests on {@link GuestNode}. */
@ExtendWith(GuestNode.Fixture.class)
abstract class OnGuestNode {
  static final String GOOD =
      "strategy: { select: select.low, order: order.bottleneck, fanout: fanout.brb-equalmax }";

  static OneNode node;
  static CqlSession superuser;

  @BeforeAll
  static void use(GuestNode fixture) {
    node = fixture.node;
    superuser = fixture.superuser;
  }

  @AfterEach
  void off() {
    OneNode.set(superuser, "mode", "off");
    OneNode.set(superuser, "document", "strategy: {}");
  }

  /** A session of another user. */
  static CqlSession session(String user, String password) {
    return OneNode.session(GuestNode.HOST, user, password);
  }

  /** More multigets than the node's read threads serve without a queue. */
  static List<CompletionStage<AsyncResultSet>> twentyAtOnce() {
    List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      reads.add(superuser.executeAsync("SELECT k, v FROM g.t WHERE k IN (1, 2, 3, 4, 5)"));
    }
    return reads;
  }

  static void assertAnswered(List<CompletionStage<AsyncResultSet>> reads) {
    for (CompletionStage<AsyncResultSet> read : reads) {
      List<Integer> sums = new ArrayList<>();
      read.toCompletableFuture()
          .join()
          .currentPage()
          .forEach(row -> sums.add(row.getInt("k") + row.getInt("v")));
      assertThat(sums).containsExactly(0, 0, 0, 0, 0);
    }
  }

  static int read(Object... keys) {
    String marks = String.join(", ", Collections.nCopies(keys.length, "?"));
    return superuser
        .execute(
            SimpleStatement.newInstance("SELECT k, v FROM g.t WHERE k IN (" + marks + ")", keys))
        .all()
        .size();
  }

  static String mode() {
    return status("mode");
  }

  static String status(String name) {
    return OneNode.table(superuser, "strategy").get(name);
  }

  static long counter(String name) {
    return Long.parseLong(OneNode.table(superuser, "counters").get(name));
  }
}
