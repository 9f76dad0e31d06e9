/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestGuardrails;
import dev.manx.cassandra.TestSchema;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.service.QueryState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables with a key of several columns, where a guardrail limits the products of lists. */
@Timeout(60)
class GuardedProductsTest extends SentStatements {
  private static final ByteBuffer ONE = Int32Type.instance.decompose(1);

  @BeforeEach
  void ordinaryClient() {
    state = new QueryState(null);
  }

  private Executed prepared(String where) {
    return new Executed("SELECT * FROM ks.pair WHERE " + where, null);
  }

  private static Asked asked(Engine engine, Executed select, ByteBuffer... values) {
    return Asked.keyed(engine, select, TestSchema.options(100, values), null, true);
  }

  @Test
  void aSingleKeyIsPlanned() {
    Engine engine = busy("strategy: manx");
    Executed written = prepared("a = 1 AND b = 2");
    Executed bound = prepared("a = ? AND b = ?");
    TestGuardrails.products(
        25,
        -1,
        () -> {
          assertThat(asked(engine, written).planned()).isTrue();
          assertThat(asked(engine, bound, ONE, ONE).planned()).isTrue();
        });
  }

  @Test
  void oneListIsNoProduct() {
    Executed list = prepared("a = ? AND b IN ?");
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      TestGuardrails.products(25, -1, () -> send(engine, list, 100, ONE, TestSchema.list(1, 2)));
      reaches(-1, 2, 2 * 65_536);
    }
  }

  @Test
  void aProductIsLeftToStock() {
    Executed product = prepared("a IN ? AND b IN ?");
    ByteBuffer two = TestSchema.list(1, 2);
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      TestGuardrails.products(25, -1, () -> send(engine, product, 100, two, two));
      reaches(100, 0, 0);
      send(engine, product, 100, two, two);
      reaches(-1, 4, 4 * 65_536);
    }
  }

  /** Otherwise it would be counted as planned, and Cassandra would refuse it. */
  @Test
  void aListThatCassandraWillRefuseIsLeftToStock() {
    isLeftToStockIfRefused(prepared("a = ? AND b IN ?"), ONE);
  }

  /** Cassandra counts the list of a key of one column as a product, too. */
  @Test
  void suchAListOfASingleColumnIsLeftToStock() {
    isLeftToStockIfRefused(new Executed("SELECT * FROM ks.plain WHERE k IN ?", null));
  }

  private void isLeftToStockIfRefused(Executed list, ByteBuffer... first) {
    ByteBuffer[] three = Arrays.copyOf(first, first.length + 1);
    ByteBuffer[] four = three.clone();
    three[first.length] = TestSchema.list(1, 3);
    four[first.length] = TestSchema.list(1, 4);
    for (Engine engine : List.of(calm("strategy: manx"), busy("strategy: manx"))) {
      TestGuardrails.products(
          -1,
          3,
          () -> {
            assertThat(asked(engine, list, four)).isNull();
            assertThat(asked(engine, list, three)).isNotNull();
            send(engine, list, 100, four);
          });
      reaches(100, 0, 0);
    }
  }
}
