/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class EntryClassTest {
  private static final int JAVA_8 = 52;
  private static final int JAVA_17 = 61;

  @Test
  void theEntryLoadsOnJava8AndTheRestIsJava17() throws IOException {
    assertThat(classFileVersion("ManxQueryHandler.class")).isEqualTo(JAVA_8);
    assertThat(classFileVersion("OlderQueryHandler.class")).isEqualTo(JAVA_8);
    assertThat(classFileVersion("Engine.class")).isEqualTo(JAVA_17);
  }

  private static int classFileVersion(String name) throws IOException {
    try (InputStream in = EntryClassTest.class.getResourceAsStream(name);
        DataInputStream data = new DataInputStream(in)) {
      assertThat(data.readInt()).isEqualTo(0xCAFEBABE);
      data.readUnsignedShort();
      return data.readUnsignedShort();
    }
  }
}
