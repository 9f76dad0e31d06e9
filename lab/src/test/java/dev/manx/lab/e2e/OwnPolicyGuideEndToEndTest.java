/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A stranger follows {@code docs/embed/add-your-own-policy.md}, which takes no node. */
@Tag("e2e")
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full follows the guide")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(GuideEndToEndTest.ARTIFACTS_OF_THIS_BUILD)
class OwnPolicyGuideEndToEndTest {
  private static final Path ROOT = ManxHome.find().root();

  @TempDir Path folder;

  @Test
  void theCommandsOfTheGuideBuildTestAndPlayIt() throws Exception {
    Matcher blocks =
        Pattern.compile("```bash\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/embed/add-your-own-policy.md")));
    String commands = blocks.results().map(block -> block.group(1)).collect(Collectors.joining());
    assertThat(commands).contains("install", "verify", "./manx run");
    // Apart from the user's own repository, whose libraries it takes.
    Path local = ROOT.resolve(".manx/own-policy/repository");
    Path results = folder.resolve("results");
    String script =
        "set -euo pipefail\n"
            + commands.replace("own-policy.yaml", "own-policy.yaml --out " + results);
    ProcessBuilder bash =
        new ProcessBuilder("bash", "-c", script)
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile());
    bash.environment()
        .put(
            "MAVEN_ARGS",
            "-Dspotless.check.skip=true -Dmaven.repo.local=%s -Dmaven.repo.local.tail=%s"
                .formatted(local, Path.of(System.getProperty("user.home"), ".m2/repository")));
    Process process = bash.start();
    boolean ended = process.waitFor(10, TimeUnit.MINUTES);
    process.destroyForcibly();
    String output = Files.readString(folder.resolve("output"));
    assertThat(ended).as(output).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    assertThat(output).containsPattern("select\\.reported-queue +fewest reads waiting");
    assertThat(Files.readString(results.resolve("summary.csv"))).contains(",reported-queue,all,");
    Path reports = OwnPolicy.PROJECT.resolve("target/surefire-reports");
    assertThat(reports.resolve("example.ReportedQueueContractTest.txt"))
        .content()
        .containsPattern("Tests run: [1-9].*Failures: 0, Errors: 0, Skipped: 0");
  }
}
