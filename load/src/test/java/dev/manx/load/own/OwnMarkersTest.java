/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.own.OwnMarkers.Column;
import dev.manx.load.own.OwnMarkers.Marker;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Markers as Cassandra names them, of a table with every kind of column. */
class OwnMarkersTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", "partition_key", "int"),
          new Column("ck", "clustering", "int"),
          new Column("price", "regular", "int"),
          new Column("Place", "static", "text"),
          new Column("tags", "regular", "set<text>"),
          new Column("sizes", "regular", "frozen<list<int>>"));

  /**
   * @param markers names, with one blank between them
   */
  private static OwnMarkers of(String cql, int mostKeys, String markers, List<Column> columns) {
    return OwnMarkers.of(
        new OwnStatement("s", cql, 1, 1, mostKeys),
        "shop.items",
        Arrays.stream(markers.split(" ", -1))
            .filter(name -> !name.isEmpty())
            .map(name -> Marker.of(name, DataTypes.INT))
            .toList(),
        columns);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t WHERE id = ? | 1 | id | false",
        "SELECT * FROM t WHERE id IN ? AND ck = ? | 20 | in(id) ck | true",
        "SELECT * FROM t WHERE id IN ? | 1 | in(id) | true",
        "SELECT * FROM t WHERE id = 5 | 1 | '' | false",
        "DELETE FROM t WHERE id IN ? | 20 | in(id) | true",
        "UPDATE t SET price = 5 WHERE id IN ? AND ck = 1 | 20 | in(id) | true",
        "INSERT INTO t (id, ck, tags) VALUES (?, ?, ?) | 1 | id ck tags | false",
        "UPDATE t SET sizes = ? WHERE id = ? AND ck = ? | 1 | sizes id ck | false",
        "UPDATE t SET Place = ? WHERE id = ? | 1 | Place id | false",
        "UPDATE t SET note = 'why? it''s :x' /* ? */ WHERE id = ? AND ck = 1 -- ? | 1 | id | false",
        "DELETE FROM t WHERE id = ? AND ck = 1 // ? | 1 | id | false",
        "UPDATE t SET \"a ?\" = $$?'$$ WHERE id = ? AND ck = ? | 1 | id ck | false",
        "SELECT * FROM t WHERE id = :id | 1 | id | false"
      })
  void markersOfColumnsAreFilled(String cql, int mostKeys, String names, boolean multiget) {
    assertThat(of(cql, mostKeys, names, COLUMNS).isMultiget()).isEqualTo(multiget);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t WHERE id IN (?, ?, ?) | 3 | id id id | several markers are for the column id",
        "SELECT * FROM t WHERE ck >= ? AND ck < ? | 1 | ck ck | several markers are for the column ck",
        "SELECT * FROM t WHERE id IN :ids | 5 | ids | the marker `ids` is not for a column of shop.items",
        "SELECT * FROM t WHERE id IN :id | 5 | id | `keys` needs a marker `IN ?` without a name",
        "SELECT * FROM t WHERE id = ? LIMIT ? | 1 | id [limit] | the marker `[limit]` is not for a column",
        "SELECT * FROM t WHERE (id, ck) IN ? | 5 | in(id,ck) | the marker `id,ck` is not for a column",
        "INSERT INTO t (id) VALUES (?) USING TTL ? | 1 | id [ttl] | the marker `[ttl]` is not for a column",
        "SELECT * FROM t WHERE id = ? | 2 | id | `keys` needs a marker `IN ?`",
        "SELECT * FROM t WHERE id = 5 | 2 | '' | `keys` needs a marker `IN ?`",
        "UPDATE t SET price = ? WHERE id IN ? | 20 | price in(id) | the price of one row to several rows",
        "UPDATE t SET price = ? WHERE id IN ? | 1 | price in(id) | the price of one row to several rows",
        "DELETE FROM t WHERE id IN ? IF Place = ? | 20 | in(id) Place | the Place of one row",
        "UPDATE t SET tags = tags + ? WHERE id = ? AND ck = ? | 1 | tags id ck | can add sampled values to the tags",
        "UPDATE t SET n = n + 1 WHERE id = 5 | 1 | '' | a write needs a marker for a column of its key",
        "DELETE FROM t WHERE id = 5 | 1 | '' | a write needs a marker for a column of its key",
        "UPDATE t SET cost = :price WHERE id = :id AND ck = :ck | 1 | price id ck | a write with markers such as `:name`",
        "UPDATE t SET note = '?', cost = :price WHERE id = ? AND ck = ? | 1 | price id ck | a write with markers such as `:name`",
        "UPDATE t SET price = ? WHERE id = ? AND ck = 5 | 1 | price id | the price of one row to another: write a marker for ck too",
        "UPDATE t SET price = ? WHERE id = 5 AND ck = 5 | 1 | price | write a marker for ck, id too",
        "INSERT INTO t (id, Place) VALUES (5, ?) | 1 | Place | the Place of one row to another: write a marker for id too"
      })
  void othersAreRefusedBeforeAnythingIsSent(String cql, int keys, String names, String why) {
    assertThatThrownBy(() -> of(cql, keys, names, COLUMNS))
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith("statement s: ")
        .hasMessageContaining(why);
  }

  @Test
  void countersAreOnlyRead() {
    List<Column> counters =
        List.of(
            new Column("id", "partition_key", "int"), new Column("views", "regular", "counter"));
    for (String write :
        List.of("UPDATE t SET views = views + 1 WHERE id = ?", "DELETE FROM t WHERE id = ?")) {
      assertThatThrownBy(() -> of(write, 1, "id", counters))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("shop.items has counters");
    }
    assertThat(of("SELECT views FROM t WHERE id = ?", 1, "id", counters).warning()).isEmpty();
  }

  @Test
  void aWriteMayCompareTheColumnThatItWrites() {
    String update = "UPDATE t SET price = ? WHERE id = ? AND ck = ? IF price = ?";
    assertThat(of(update, 1, "price id ck price", COLUMNS).warning().orElseThrow())
        .contains("values of price sampled");
  }

  @Test
  void aWriteOfSampledValuesIsAnnounced() {
    String update = "UPDATE t SET price = ? WHERE id = ? AND ck = ?";
    assertThat(of(update, 1, "price id ck", COLUMNS).warning())
        .contains(
            "s writes back, or compares with, values of price sampled at the start; newer values of"
                + " other clients are lost");
    assertThat(of("INSERT INTO t (id, Place) VALUES (?, ?)", 1, "id Place", COLUMNS).writesBack())
        .containsExactly("Place");
    assertThat(of("DELETE FROM t WHERE id = ? AND ck = ?", 1, "id ck", COLUMNS).warning())
        .isEmpty();
    assertThat(of("SELECT * FROM t WHERE id = ? AND price = ?", 1, "id price", COLUMNS).warning())
        .as("only reads")
        .isEmpty();
  }

  private static void types(String marker, DataType ofMarker, DataType ofColumn) {
    OwnMarkers.of(
            new OwnStatement("s", "SELECT * FROM t WHERE id = ?", 1, 1, 1),
            "shop.items",
            List.of(Marker.of(marker, ofMarker)),
            COLUMNS)
        .checkTypes(List.of(ofColumn));
  }

  @Test
  void aMarkerTakesTheValuesOfItsColumn() {
    types("id", DataTypes.INT, DataTypes.INT);
    types("in(id)", DataTypes.listOf(DataTypes.INT), DataTypes.INT);
    types("sizes", DataTypes.listOf(DataTypes.INT), DataTypes.listOf(DataTypes.INT));
    assertThatThrownBy(() -> types("id", DataTypes.listOf(DataTypes.INT), DataTypes.INT))
        .as("IN :id")
        .isInstanceOf(ConnectException.class)
        .hasMessage(
            "statement s: the marker `id` takes list<int>, and the column has int: write `IN ?`"
                + " without a name");
    assertThatThrownBy(() -> types("Place", DataTypes.INT, DataTypes.TEXT))
        .as("WHERE id = :\"Place\"")
        .hasMessageContaining("takes int, and the column has text: write a value in its place");
  }
}
