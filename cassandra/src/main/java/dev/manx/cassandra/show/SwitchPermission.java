/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import dev.manx.cassandra.ManxQueryHandler;
import org.apache.cassandra.auth.AuthenticatedUser;
import org.apache.cassandra.auth.DataResource;
import org.apache.cassandra.auth.Permission;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.service.ClientState;

/**
 * Checks who may switch Manx by CQL, on nodes that authorize: superusers, and roles with {@code
 * MODIFY} granted on the table {@code manx.strategy} itself. {@code MODIFY ON ALL KEYSPACES}, which
 * applications often have, is not enough.
 */
final class SwitchPermission implements ManxQueryHandler.Gate {
  private static final String TABLE = "strategy";

  @Override
  public void check(CQLStatement statement, ClientState client) {
    if (statement instanceof ModificationStatement) {
      check((ModificationStatement) statement, client);
    } else if (statement instanceof BatchStatement) {
      for (ModificationStatement each : ((BatchStatement) statement).getStatements()) {
        check(each, client);
      }
    }
  }

  private static void check(ModificationStatement statement, ClientState client) {
    // A node may have a keyspace of that name, whose tables are not Manx's.
    if (!statement.isVirtual()
        || !statement.keyspace().equals(ManxTables.KEYSPACE)
        || !DatabaseDescriptor.getAuthorizer().requireAuthorization()
        || client.isSuper()) {
      return;
    }
    AuthenticatedUser user = client.getUser();
    DataResource table = DataResource.table(ManxTables.KEYSPACE, TABLE);
    if (user == null || !user.getPermissions(table).contains(Permission.MODIFY)) {
      throw new UnauthorizedException(
          "Manx may be switched by superusers and by roles with MODIFY on manx.strategy itself; a"
              + " superuser can grant it: GRANT MODIFY ON TABLE manx.strategy TO "
              + (user == null ? "..." : user.getName()));
    }
  }
}
