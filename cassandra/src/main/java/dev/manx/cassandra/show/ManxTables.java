/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import com.google.common.collect.ImmutableList;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.boot.Control;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;

/**
 * The virtual keyspace {@code manx}: this node's strategy, replicas, counters, hooks, tables,
 * latencies and decision log.
 */
public final class ManxTables {
  static final String KEYSPACE = "manx";

  private ManxTables() {}

  /**
   * Registers the keyspace.
   *
   * @throws IllegalStateException if a keyspace of that name exists
   */
  public static void register(Control control) {
    if (org.apache.cassandra.schema.Schema.instance.getKeyspaceMetadata(KEYSPACE) != null) {
      throw new IllegalStateException(
          "a keyspace named manx exists, so Manx cannot show its tables");
    }
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(
            KEYSPACE,
            ImmutableList.of(
                new StrategyTable(control),
                new ReplicasTable(control),
                new CountersTable(control),
                new HooksTable(control),
                new TablesTable(control),
                new LatencyTable(control),
                new DecisionLogTable(control))));
  }

  /** The check of statements on these tables. */
  public static ManxQueryHandler.Gate gate() {
    SwitchPermission permission = new SwitchPermission();
    return (statement, client) -> {
      permission.check(statement, client);
      DecisionLogTable.check(statement);
    };
  }

  static TableMetadata.Builder table(String name, String comment, String key) {
    return TableMetadata.builder(KEYSPACE, name)
        .comment(comment)
        .kind(TableMetadata.Kind.VIRTUAL)
        .partitioner(new LocalPartitioner(UTF8Type.instance))
        .addPartitionKeyColumn(key, UTF8Type.instance);
  }

  static TableMetadata pairs(String name, String comment, AbstractType<?> value) {
    return table(name, comment, "name").addRegularColumn("value", value).build();
  }
}
