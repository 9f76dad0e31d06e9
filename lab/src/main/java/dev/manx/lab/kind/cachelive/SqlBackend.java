/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.RunException;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import org.h2.jdbcx.JdbcConnectionPool;

/** A table of H2 in a file, read through JDBC by primary key. */
final class SqlBackend extends BlockingBackend {
  private static final int BATCH = 500;

  private final JdbcConnectionPool pool;

  SqlBackend(BackendPlan plan, Path folder) {
    super(plan);
    pool =
        JdbcConnectionPool.create(
            "jdbc:h2:file:" + folder.toAbsolutePath().resolve(plan.name()) + ";CACHE_SIZE=8192",
            "sa",
            "");
    pool.setMaxConnections(4 * plan.threads() + 1);
    try {
      fill();
    } catch (SQLException e) {
      pool.dispose();
      throw new RunException("cannot fill the SQL table of " + plan.name() + ": " + e, e);
    }
  }

  private void fill() throws SQLException {
    try (Connection connection = pool.getConnection()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE kv (k INT PRIMARY KEY, v VARBINARY(1048576) NOT NULL)");
      }
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO kv (k, v) VALUES (?, ?)")) {
        for (int key = 0; key < plan().keys(); key++) {
          insert.setInt(1, key);
          insert.setBytes(2, value(key));
          insert.addBatch();
          if (key % BATCH == BATCH - 1) {
            insert.executeBatch();
            connection.commit();
          }
        }
        insert.executeBatch();
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  @Override
  Read read() {
    return keys -> {
      Map<Integer, byte[]> found = new HashMap<>();
      try (Connection connection = pool.getConnection();
          PreparedStatement select = connection.prepareStatement("SELECT v FROM kv WHERE k = ?")) {
        for (int key : keys) {
          select.setInt(1, key);
          try (ResultSet rows = select.executeQuery()) {
            if (rows.next()) {
              found.put(key, rows.getBytes(1));
            }
          }
        }
      }
      return found;
    };
  }

  @Override
  public String describe() {
    return "H2 in a file, through JDBC, " + plan().threads() + " connections";
  }

  @Override
  public void close() {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      // The database has ended; its folder is removed with the run's folder.
    }
    pool.dispose();
  }
}
