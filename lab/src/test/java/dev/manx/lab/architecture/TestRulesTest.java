/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.architecture;

import static dev.manx.lab.architecture.Modules.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.RootPom;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests have a time limit, wait for no fixed time, are tagged if they start engines, and share the
 * addresses of nodes.
 */
class TestRulesTest {
  /** Words of tests that start a cache server, a storage engine, a browser, squeezed workers. */
  private static final List<String> STARTERS =
      List.of(
          "CacheServer.start",
          "CacheServer.Kind",
          "DriverRun.",
          "new Crew(",
          "Chromium.",
          "IdleKind.read",
          "new IdleTurn(",
          "CacheLiveKind.read",
          "SmallCacheLive.run",
          "ThreeNodes");

  /** Words of tests that boot nodes where {@code ./manx} boots its own. */
  private static final List<String> BOOTERS =
      List.of(
          "LocalCluster.start",
          "OneNode.boot",
          "MixedNodes.boot",
          "TwoDatacenters.boot",
          "SecuredCluster.boot",
          "extends OnGuestNode",
          "ClusterKind.booted",
          "CacheLiveKind.read");

  /** Words of tests on the three nodes that most tests share. */
  private static final List<String> SHARERS =
      List.of("ThreeNodes fixture", "extends OnSizedTables");

  private static final List<String> STARTS_SOMETHING =
      List.of("@Tag(\"e2e\")", "@OwnNodes", "@SharedNodes", "@Tag(\"engines\")");

  /** Classes that pause between two looks at a condition: the helpers of the modules. */
  private static final Set<String> POLLS =
      Set.of("Waiting", "Songs", "RemoteStoreFixture", "ProcessGroupTest", "SqueezerTest");

  /** Classes whose condition throws, or that act between two looks. */
  private static final Set<String> OWN_POLLS =
      Set.of(
          "CommandEndToEndTest",
          "ContentionCommandTest",
          "CurveSamplerTest",
          "DecisionLogEndToEndTest",
          "DisturbanceTest",
          "FanoutRequestTest",
          "GuardFailureTest",
          "LevelPartTest",
          "MemcachedLinkTest",
          "OperatedNodes",
          "RedisNodes",
          "RedisThreadsTest",
          "RemoteStoreNetworkTest",
          "SpawnerTest",
          "TimedOutLoadsTest",
          "TopRecording",
          "WatchTest",
          "WatchedDriverTest");

  /** Classes in which a pause is part of a load, of slow software, or of a measurement. */
  private static final Set<String> PLAYED_PAUSES =
      Set.of(
          "CacheServerTest",
          "ClosedLoopTest",
          "CombinedRaceTest",
          "ConsistencyTest",
          "Crew",
          "HoldsEndToEndTest",
          "MixedLoad",
          "NastyPolicies",
          "OneDatacenterOn",
          "OpenLoad",
          "OwnLimitTest",
          "ReleaseTest",
          "ShopLoad",
          "StatisticsServerTest");

  /** A hanging test must fail under its name and not block the run. */
  @Test
  void everyModuleLimitsTheTimeOfItsTests() throws IOException {
    Path root = ManxHome.find().root();
    for (String module : RootPom.modules()) {
      Path settings = root.resolve(module + "/src/test/resources/junit-platform.properties");
      assertThat(settings).exists();
      assertThat(Files.readString(settings))
          .as(settings.toString())
          .containsPattern("(?m)^junit\\.jupiter\\.execution\\.timeout\\.default = [0-9]+ [sm]$");
    }
  }

  /**
   * Tests left out by {@code ./test --fast} are tagged: those that start processes of other
   * software.
   */
  @Test
  void testsThatStartEnginesAreTagged() throws IOException {
    List<String> untagged = new ArrayList<>();
    for (String module : NAMES) {
      for (Path file : Modules.javaFiles(module, "src/test")) {
        String text = Files.readString(file);
        if (file.toString().endsWith("Test.java")
            && STARTERS.stream().anyMatch(text::contains)
            && STARTS_SOMETHING.stream().noneMatch(text::contains)) {
          untagged.add(file.getFileName().toString());
        }
      }
    }
    assertThat(untagged).isEmpty();
  }

  /** So that {@code ./mvnw test -Dgroups=contract} runs them all; subclasses inherit the tag. */
  @Test
  void contractSuitesAreTagged() throws IOException {
    List<Path> suites = new ArrayList<>();
    for (String module : NAMES) {
      for (String folder : List.of("src/test", "src/main")) {
        for (Path file : Modules.javaFiles(module, folder)) {
          String name = file.getFileName().toString();
          boolean inherits =
              Files.readString(file).matches("(?s).*class \\w+\\s+extends \\w*Contract.*");
          if (name.matches("\\w+Contract(Test)?\\.java") && !inherits) {
            suites.add(file);
          }
        }
      }
    }
    assertThat(suites)
        .hasSizeGreaterThan(6)
        .allSatisfy(suite -> assertThat(suite).content().contains("@Tag(\"contract\")"));
  }

  /** Nodes at equal addresses never run at once: their classes share a lock. */
  @Test
  void testsThatBootNodesOfTheirOwnTakeTurns() throws IOException {
    List<String> free = new ArrayList<>();
    Path folder = ManxHome.find().root().resolve("lab/src/test/java/dev/manx/lab/e2e");
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith("EndToEndTest.java")).toList()) {
        String text = Files.readString(file);
        if (BOOTERS.stream().anyMatch(text::contains) && !text.contains("@OwnNodes")
            || SHARERS.stream().anyMatch(text::contains) && !text.contains("@SharedNodes")) {
          free.add(file.getFileName().toString());
        }
      }
    }
    assertThat(free).isEmpty();
  }

  /** A fixed wait is too short on a busy machine and too long on all others. */
  @Test
  void noTestSleepsToWait() throws IOException {
    Set<String> pausing = new TreeSet<>();
    Pattern pause = Pattern.compile("\\.sleep\\(|parkNanos\\(");
    for (String module : RootPom.modules()) {
      for (String folder : List.of("src/test", "src/main")) {
        boolean tests = folder.equals("src/test") || module.equals("client-testkit");
        for (Path file : tests ? Modules.javaFiles(module, folder) : List.<Path>of()) {
          if (pause.matcher(Files.readString(file)).find()) {
            pausing.add(file.getFileName().toString().replace(".java", ""));
          }
        }
      }
    }
    assertThat(pausing)
        .as("wait for a condition, by a helper that polls")
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(POLLS, OWN_POLLS, PLAYED_PAUSES).flatMap(Set::stream).toList());
  }
}
