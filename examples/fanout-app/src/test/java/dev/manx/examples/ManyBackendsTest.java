/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Loader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The page of thirty backends behaves as the guide describes, and equals the guide's text. */
@Timeout(60)
class ManyBackendsTest {
  private static final int BACKENDS = 30;
  private static final Path HOME = Path.of(System.getProperty("manx.home"));

  private final CountDownLatch release = new CountDownLatch(1);

  /** The first hangs for product 3. */
  private Map<String, Loader.Blocking<Integer, String>> services() {
    Map<String, Loader.Blocking<Integer, String>> services = new LinkedHashMap<>();
    for (int i = 0; i < BACKENDS; i++) {
      String name = "service-" + i;
      boolean hangs = i == 0;
      services.put(
          name,
          ids -> {
            if (hangs && ids.contains(3)) {
              release.await();
            }
            Map<Integer, String> values = new HashMap<>();
            ids.forEach(id -> values.put(id, name + " of " + id));
            return values;
          });
    }
    return services;
  }

  @Test
  void aServiceThatHangsLeavesAGapAndEverythingElseIsThere() {
    try (ManyBackends shop = new ManyBackends(services())) {
      Map<String, Map<Integer, String>> whole = shop.page(List.of(1, 2), Duration.ofMinutes(1));
      assertThat(whole).hasSize(BACKENDS);
      whole.forEach(
          (name, part) -> {
            assertThat(part).hasSize(2).containsEntry(1, name + " of 1");
            assertThat(part).containsEntry(2, name + " of 2");
          });
      Map<String, Map<Integer, String>> late = shop.page(List.of(1, 2, 3), Duration.ofMillis(200));
      assertThat(late.get("service-0")).containsEntry(3, "not available");
      late.forEach((name, part) -> assertThat(part).containsAllEntriesOf(whole.get(name)));
    } finally {
      release.countDown();
    }
  }

  @Test
  void theGuideShowsWhatIsCompiled() throws IOException {
    String source =
        Files.readString(
            HOME.resolve("examples/fanout-app/src/main/java/dev/manx/examples/ManyBackends.java"));
    String begin = "  // many backends\n";
    String region =
        source
            .substring(source.indexOf(begin) + begin.length(), source.indexOf("  // end\n"))
            .lines()
            .map(line -> line.substring(Math.min(2, line.length())))
            .collect(Collectors.joining("\n"));
    assertThat(Files.readString(HOME.resolve("docs/embed/client.md")))
        .contains("```java\n" + region + "\n```");
  }
}
