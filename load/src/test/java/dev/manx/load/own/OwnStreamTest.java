/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.workload.PlannedRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnStreamTest {
  private static final OwnStream.Part SINGLE = new OwnStream.Part(7, 1, 1, 0, 100);
  private static final OwnStream.Part MANY = new OwnStream.Part(3, 5, 20, 100, 20);

  private static final long MOST_LATE_NANOS = 50_000_000L;

  private static List<PlannedRequest> requests(double rate, long seed, int count) {
    return requests(rate, seed, seed, count);
  }

  private static List<PlannedRequest> requests(double rate, long seed, long keySeed, int count) {
    OwnStream stream = new OwnStream(List.of(SINGLE, MANY), rate, MOST_LATE_NANOS, seed, keySeed);
    List<PlannedRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(stream.next());
    }
    return requests;
  }

  @ParameterizedTest
  @CsvSource({"0.5", "3", "200", "7777.7"})
  void noSecondHasMoreThanTheRateAndOne(double rate) {
    long[] starts =
        requests(rate, 1, 20_000).stream().mapToLong(PlannedRequest::intendedNanos).toArray();
    assertThat(starts).isSorted();
    // Requests due at the end of a pause may be sent together with those due in the following
    // second.
    int from = 0;
    for (int to = 0; to < starts.length; to++) {
      while (starts[to] - starts[from] >= 1_000_000_000L + MOST_LATE_NANOS) {
        from++;
      }
      assertThat(to - from + 1).isLessThanOrEqualTo((int) Math.ceil(rate) + 1);
    }
    double seconds = starts[starts.length - 1] / 1e9;
    assertThat(starts.length / seconds * 1.05).isBetween(0.999 * rate, 1.001 * rate);
  }

  @Test
  void theMixIsAsWeighedAndKeysAreDistinctRowsOfTheirStatement() {
    List<PlannedRequest> requests = requests(100, 2, 20_000);
    long singles = requests.stream().filter(request -> request.reads() == 1).count();
    assertThat(singles / 20_000.0).isBetween(0.68, 0.72);
    for (PlannedRequest request : requests) {
      int[] ids = request.keyIds();
      assertThat(Arrays.stream(ids).distinct().count()).isEqualTo(ids.length);
      if (ids.length == 1) {
        assertThat(ids[0]).isBetween(0, 99);
      } else {
        assertThat(ids.length).isBetween(5, 20);
        assertThat(Arrays.stream(ids)).allMatch(id -> id >= 100 && id < 120);
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameAtAnotherRate() {
    List<PlannedRequest> slow = requests(10, 3, 100);
    List<PlannedRequest> fast = requests(1_000, 3, 100);
    for (int i = 0; i < 100; i++) {
      assertThat(fast.get(i).keyIds()).isEqualTo(slow.get(i).keyIds());
    }
    assertThat(requests(10, 4, 100).toString()).isNotEqualTo(slow.toString());
  }

  /** Otherwise the second arm of a round would find the first one's rows in caches. */
  @Test
  void otherKeysAreReadAtTheSameTimes() {
    List<PlannedRequest> first = requests(100, 3, 1, 200);
    List<PlannedRequest> second = requests(100, 3, 2, 200);
    int same = 0;
    for (int i = 0; i < 200; i++) {
      assertThat(second.get(i).intendedNanos()).isEqualTo(first.get(i).intendedNanos());
      assertThat(second.get(i).reads()).isEqualTo(first.get(i).reads());
      same += Arrays.equals(second.get(i).keyIds(), first.get(i).keyIds()) ? 1 : 0;
    }
    assertThat(same).isLessThan(20);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t WHERE k = ? | true  | false",
        "  select k from t           | true  | false",
        "INSERT INTO t (k) VALUES (?)| false | true",
        "update t SET v = ? WHERE k=?| false | true",
        "DELETE FROM t WHERE k = ?   | false | true",
        "TRUNCATE t                  | false | false",
        "DROP TABLE t                | false | false",
        "BEGIN BATCH APPLY BATCH     | false | false",
        "SELECTED FROM t             | false | false"
      })
  void readsAreToldFromWrites(String cql, boolean reads, boolean writes) {
    OwnStatement statement = new OwnStatement("s", cql, 1, 1, 1);
    assertThat(statement.reads()).isEqualTo(reads);
    assertThat(statement.writes()).isEqualTo(writes);
  }
}
