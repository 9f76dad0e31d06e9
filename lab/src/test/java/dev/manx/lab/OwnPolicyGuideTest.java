/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/embed/add-your-own-policy.md} shows the files of {@code examples/own-policy}
 * verbatim.
 */
class OwnPolicyGuideTest {
  private static final Path ROOT = ManxHome.find().root();
  private static final String LICENCE = "/* SPDX-License-Identifier: Apache-2.0 */\n";

  @Test
  void everyFileShownIsTheFile() throws IOException {
    Matcher blocks =
        Pattern.compile(
                "(?m)^`(examples/own-policy/[^`]+)`\n\n```[a-z]+\n(.*?)^```$", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/embed/add-your-own-policy.md")));
    List<String> shown = new ArrayList<>();
    while (blocks.find()) {
      shown.add(blocks.group(1));
      assertThat(blocks.group(2))
          .as(blocks.group(1))
          .isEqualTo(Files.readString(ROOT.resolve(blocks.group(1))).replace(LICENCE, ""));
    }
    assertThat(shown)
        .extracting(file -> Path.of(file).getFileName().toString())
        .containsExactly(
            "ReportedQueueSelector.java",
            "dev.manx.policy.spi.PolicyProvider",
            "ReportedQueueContractTest.java",
            "own-policy.yaml");
  }
}
