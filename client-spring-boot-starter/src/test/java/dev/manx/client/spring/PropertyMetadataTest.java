/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** Editors complete and check the properties by the metadata in the jar. */
class PropertyMetadataTest {
  private static final Path FILE =
      Path.of("src", "main", "resources", "META-INF", "spring-configuration-metadata.json");

  @Test
  void theMetadataAreThoseOfTheDeclaredSettings() throws IOException {
    String made = PropertyMetadata.json();
    Path copy = Files.writeString(Path.of("target", FILE.getFileName().toString()), made);
    assertThat(Files.readString(FILE)).as("copy %s to %s", copy, FILE).isEqualTo(made);
  }

  @Test
  void theyAreReadable() throws IOException {
    assertThat(JsonParserFactory.getJsonParser().parseMap(Files.readString(FILE)))
        .containsOnlyKeys("properties", "hints")
        .extracting("properties")
        .asString()
        .contains(
            "manx.cache.capacity", "manx.cache.backend.breaker.open-for", "manx.cache.policy.tax");
  }
}
