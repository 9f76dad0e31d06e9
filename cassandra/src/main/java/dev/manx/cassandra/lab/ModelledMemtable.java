/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.lab;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.memtable.SkipListMemtable;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadataRef;

/**
 * The stock skip-list memtable with {@link ServiceModel}'s sleep in front of every single-partition
 * read. Lab only: a table selects it with {@code WITH memtable = 'modelled'}, so that the model
 * acts below the read stage and is the same whether Manx's hooks are in the path or not.
 */
public final class ModelledMemtable extends SkipListMemtable {
  private final Owner owner;

  private ModelledMemtable(
      AtomicReference<CommitLogPosition> commitLogLowerBound,
      TableMetadataRef metadata,
      Owner owner) {
    super(commitLogLowerBound, metadata, owner);
    this.owner = owner;
  }

  /** Called by Cassandra with the {@code parameters} of the memtable configuration. */
  public static Memtable.Factory factory(Map<String, String> parameters) {
    ServiceModel.INSTANCE.configure(parameters);
    ModelTable.registerOnce();
    return ModelledMemtable::new;
  }

  @Override
  public UnfilteredRowIterator rowIterator(
      DecoratedKey key,
      Slices slices,
      ColumnFilter selectedColumns,
      boolean reversed,
      SSTableReadsListener listener) {
    // A memtable that is being flushed is read together with its successor; a read sleeps once.
    if (owner.getCurrentMemtable() == this) {
      ServiceModel.INSTANCE.serve(key.getKey());
    }
    return super.rowIterator(key, slices, selectedColumns, reversed, listener);
  }
}
