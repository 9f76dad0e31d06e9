/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.detach.AttachmentPoint;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.internal.core.cql.DefaultColumnDefinition;
import com.datastax.oss.driver.internal.core.cql.DefaultColumnDefinitions;
import com.datastax.oss.driver.internal.core.cql.DefaultRow;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.response.result.ColumnSpec;
import com.datastax.oss.protocol.internal.response.result.RawType;
import dev.manx.load.Pace;
import dev.manx.load.Pacer;
import dev.manx.load.connect.ConnectException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sampling of a table's rows. */
@Tag("slow")
class OwnRowsTest {
  private static final RawType INT = RawType.PRIMITIVES.get(ProtocolConstants.DataType.INT);

  private final TreeMap<Long, List<Object>> ring = new TreeMap<>();
  private final List<Long> tokens = new ArrayList<>();

  private List<List<Object>> sample(int tableRows, int most) {
    SplittableRandom random = new SplittableRandom(7);
    for (int row = 0; row < tableRows; row++) {
      ring.put(random.nextLong(), List.of(row));
    }
    return OwnRows.sample(this::read, most, 1, new Pace(Pacer.SYSTEM, 1e9));
  }

  /** The driver cannot bind a number to another partitioner's token. */
  @Test
  void anotherPartitionerIsNamed() {
    OwnRows.checkToken(DataTypes.BIGINT);
    assertThatThrownBy(() -> OwnRows.checkToken(DataTypes.VARINT))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("Murmur3Partitioner")
        .hasMessageEndingWith("not varint");
  }

  private List<List<Object>> read(long token, int most) {
    tokens.add(token);
    return ring.tailMap(token).values().stream().limit(most).toList();
  }

  @ParameterizedTest
  @CsvSource({"20, 5", "39, 10", "40, 10", "41, 11"})
  void asManyRowsAsAskedForAreSampledAtRandomPlaces(int most, int places) {
    assertThat(sample(100_000, most)).hasSize(most).doesNotHaveDuplicates();
    assertThat(tokens).hasSize(1 + places).startsWith(Long.MIN_VALUE);
    assertThat(OwnRows.places(most)).isEqualTo(1 + places);
  }

  /** Neighbours on the ring have the same replicas, so nodes would get unequal load. */
  @Test
  void atMostFourRowsAreOfOnePlace() {
    Map<Object, Integer> positions = new HashMap<>();
    List<List<Object>> rows = sample(100_000, 2_000);
    int position = 0;
    for (List<Object> row : ring.values()) {
      positions.put(row, position++);
    }
    List<Integer> sampled = rows.stream().map(positions::get).sorted().toList();
    int places = 1;
    for (int i = 1; i < sampled.size(); i++) {
      places += sampled.get(i) > sampled.get(i - 1) + 1 ? 1 : 0;
    }
    // Some of the 500 places are next to each other.
    assertThat(places).isBetween(480, 500);
  }

  /** With a few rows in hundreds of ranges, a read at each place takes most of them. */
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 50, 99})
  void aSmallTableIsReadOnceFromItsStart(int tableRows) {
    assertThat(sample(tableRows, 2_000)).hasSize(tableRows).doesNotHaveDuplicates();
    assertThat(tokens).containsExactly(Long.MIN_VALUE);
  }

  /** After ten places in a row without a new one. */
  @Test
  void samplingEndsWhenHardlyAnyRowIsNew() {
    assertThat(sample(150, 2_000)).hasSizeGreaterThan(130).doesNotHaveDuplicates();
    assertThat(tokens).hasSizeLessThan(250);
  }

  /** Ten places in a row without a complete row ended it early, with a few rows. */
  @Test
  void placesOfIncompleteRowsDoNotEndIt() {
    SplittableRandom random = new SplittableRandom(7);
    for (int row = 0; row < 100_000; row++) {
      ring.put(random.nextLong(), Arrays.asList(row % 20 == 0 ? row : null));
    }
    assertThat(OwnRows.sample(this::read, 2_000, 1, new Pace(Pacer.SYSTEM, 1e9)))
        .hasSizeGreaterThan(80)
        .doesNotContain(Arrays.asList((Object) null));
    assertThat(tokens).hasSize(501);
  }

  /** The driver reads it as an empty one; a write of that would change the row. */
  @Test
  void aMissingCollectionIsNoValue() {
    ColumnDefinitions columns =
        DefaultColumnDefinitions.valueOf(
            List.of(column("tags", 0, new RawType.RawSet(INT)), column("id", 1, INT)));
    ByteBuffer one = ByteBuffer.allocate(4).putInt(1).flip();
    Row row = new DefaultRow(columns, Arrays.asList(null, one));
    assertThat(row.getObject(0)).isEqualTo(Set.of());
    assertThat(OwnRows.values(List.of(row))).containsExactly(Arrays.asList(null, 1));
  }

  private static ColumnDefinition column(String name, int index, RawType type) {
    return new DefaultColumnDefinition(
        new ColumnSpec("shop", "items", name, index, type), AttachmentPoint.NONE);
  }

  @Test
  void rowsThatLackAValueAreLeftOut() {
    for (int row = 0; row < 50; row++) {
      ring.put((long) row, Arrays.asList(row, row % 2 == 0 ? null : row));
    }
    assertThat(OwnRows.sample(this::read, 40, 1, new Pace(Pacer.SYSTEM, 1e9)))
        .hasSize(25)
        .noneMatch(row -> row.contains(null));
  }
}
