/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultProtocolVersion;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Wrong answers that the load must notice, from a session without a cluster. */
@Timeout(60)
class CheckedLoadTest {
  private static final int KEYS = 20;

  /** An object of a driver's interface, whose methods give these results by name. */
  private static <T> T fake(Class<T> type, Map<String, Function<Object[], Object>> methods) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              Function<Object[], Object> known = methods.get(method.getName());
              if (known == null) {
                throw new UnsupportedOperationException(method.toString());
              }
              Object result = known.apply(arguments);
              return result == null ? proxy : result;
            }));
  }

  private static Row row(int key, ByteBuffer value) {
    return fake(
        Row.class,
        Map.of(
            "getInt",
            asked ->
                asked[0].equals("k")
                    ? key
                    : TypeCodecs.INT.decodePrimitive(
                        value.duplicate(), DefaultProtocolVersion.V5)));
  }

  private static Row right(int key) {
    return row(key, ByteBuffer.allocate(4).putInt(0, CheckedLoad.value(key)));
  }

  /** What a load finds wrong if each of its answers is the right one, changed like this. */
  private static List<String> wrong(UnaryOperator<List<Row>> change) {
    ThreadLocal<List<Integer>> keys = ThreadLocal.withInitial(List::of);
    DriverConfig config = fake(DriverConfig.class, Map.of("getProfiles", none -> Map.of()));
    DriverContext context = fake(DriverContext.class, Map.of("getConfig", none -> config));
    BoundStatement bound = fake(BoundStatement.class, Map.of("setIdempotent", is -> null));
    PreparedStatement multiget =
        fake(
            PreparedStatement.class,
            Map.of(
                "bind",
                values -> {
                  keys.set(integers(((Object[]) values[0])[0]));
                  return bound;
                }));
    Function<Object[], Object> answer =
        statement -> {
          List<Row> rows =
              change.apply(keys.get().stream().distinct().map(CheckedLoadTest::right).toList());
          return fake(ResultSet.class, Map.of("iterator", none -> rows.iterator()));
        };
    CqlSession session =
        fake(CqlSession.class, Map.of("getContext", none -> context, "execute", answer));
    CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
    try (load) {
      load.go(100);
    }
    assertThat(load.errors()).isEmpty();
    return List.copyOf(load.wrong());
  }

  private static List<Integer> integers(Object list) {
    return ((List<?>) list).stream().map(Integer.class::cast).toList();
  }

  private static List<Row> with(List<Row> rows, Row more) {
    List<Row> all = new ArrayList<>(rows);
    all.add(more);
    return all;
  }

  @Test
  void rightAnswersAreRight() {
    assertThat(wrong(rows -> rows)).isEmpty();
  }

  @Test
  void aRowThatComesTwiceIsWrong() {
    assertThat(wrong(rows -> with(rows, rows.get(0)))).isNotEmpty();
  }

  @Test
  void aMissingRowIsWrong() {
    assertThat(wrong(rows -> rows.subList(1, rows.size()))).isNotEmpty();
  }

  @Test
  void theValueOfAnotherRowIsWrong() {
    assertThat(wrong(rows -> with(rows.subList(1, rows.size()), row(0, ByteBuffer.allocate(4)))))
        .isNotEmpty();
  }

  @Test
  void aValueOfThreeBytesIsWrong() {
    assertThat(wrong(rows -> with(rows, row(0, ByteBuffer.allocate(3)))))
        .isNotEmpty()
        .allMatch(words -> words.contains("IllegalArgumentException"));
  }

  @Test
  void anAnswerWithoutTheColumnIsWrong() {
    Row none =
        fake(
            Row.class,
            Map.of(
                "getInt",
                name -> {
                  throw new IllegalArgumentException(name[0] + " is not a column in this row");
                }));
    assertThat(wrong(rows -> List.of(none)))
        .isNotEmpty()
        .allMatch(words -> words.contains("is not a column in this row"));
  }
}
