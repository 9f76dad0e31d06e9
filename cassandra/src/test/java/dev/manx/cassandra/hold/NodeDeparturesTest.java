/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.TestSchema;
import java.lang.reflect.Field;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.service.StorageProxy.LocalReadRunnable;
import org.apache.cassandra.transport.Dispatcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class NodeDeparturesTest {
  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  /** Without it the coordinator would compare a digest of repaired data with none. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHeldReadStillTracksRepairedData(boolean tracks) throws Exception {
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    Runnable stock = new LocalReadRunnable(command, null, new Dispatcher.RequestTime(7, 8), tracks);
    Runnable later = new NodeDepartures().later(stock);
    assertThat(field(later, "trackRepairedStatus")).isEqualTo(tracks);
    assertThat(field(later, "command")).isSameAs(command);
  }

  private static Object field(Runnable read, String name) throws ReflectiveOperationException {
    Field field = LocalReadRunnable.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(read);
  }
}
