/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.show;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import dev.manx.cassandra.TestSchema;
import java.net.InetSocketAddress;
import org.apache.cassandra.auth.AllowAllAuthenticator;
import org.apache.cassandra.auth.AllowAllAuthorizer;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.auth.IAuthorizer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.virtual.VirtualKeyspace;
import org.apache.cassandra.db.virtual.VirtualKeyspaceRegistry;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.UnauthorizedException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaTransformations;
import org.apache.cassandra.schema.Tables;
import org.apache.cassandra.service.ClientState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a node that authorizes, for a client without any right. */
class SwitchPermissionTest {
  private final SwitchPermission permission = new SwitchPermission();
  private IAuthenticator authenticator;
  private IAuthorizer authorizer;

  @BeforeEach
  void authorize() {
    TestSchema.load();
    authenticator = DatabaseDescriptor.getAuthenticator();
    authorizer = DatabaseDescriptor.getAuthorizer();
    DatabaseDescriptor.setAuthorizer(new Authorizer());
    DatabaseDescriptor.setAuthenticator(new Authenticator());
  }

  @AfterEach
  void restore() {
    DatabaseDescriptor.setAuthenticator(authenticator);
    DatabaseDescriptor.setAuthorizer(authorizer);
    Schema.instance.transform(schema -> schema.without(ManxTables.KEYSPACE));
  }

  private static final class Authorizer extends AllowAllAuthorizer {
    @Override
    public boolean requireAuthorization() {
      return true;
    }
  }

  private static final class Authenticator extends AllowAllAuthenticator {
    @Override
    public boolean requireAuthentication() {
      return true;
    }
  }

  /** A node may have such a keyspace before Manx is installed. Manx then shows no tables. */
  @Test
  void onlyManxsOwnTablesAreGuardedAndNoKeyspaceOfThatName() {
    VirtualKeyspaceRegistry.instance.register(
        new VirtualKeyspace(ManxTables.KEYSPACE, ImmutableList.of(new StrategyTable(null))));
    CQLStatement ofManx = update();
    Tables own =
        Tables.of(
            CreateTableStatement.parse(
                    "CREATE TABLE strategy (name text PRIMARY KEY, value text)",
                    ManxTables.KEYSPACE)
                .partitioner(Murmur3Partitioner.instance)
                .build());
    Schema.instance.transform(
        SchemaTransformations.addKeyspace(
            KeyspaceMetadata.create(ManxTables.KEYSPACE, KeyspaceParams.simple(1), own), true));
    CQLStatement ofAnApplication = update();
    ClientState client = ClientState.forExternalCalls(new InetSocketAddress("127.0.0.1", 1));
    assertThatThrownBy(() -> permission.check(ofManx, client))
        .isInstanceOf(UnauthorizedException.class)
        .hasMessageContaining("Manx may be switched by superusers");
    assertThatCode(() -> permission.check(ofAnApplication, client)).doesNotThrowAnyException();
  }

  private static CQLStatement update() {
    return QueryProcessor.parseStatement(
            "UPDATE manx.strategy SET value = 'off' WHERE name = 'mode'")
        .prepare(ClientState.forInternalCalls());
  }
}
