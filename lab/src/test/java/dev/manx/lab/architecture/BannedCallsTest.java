/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.manx.lab.architecture.Modules.CLASSES;
import static dev.manx.lab.architecture.Modules.NAMES;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Calls that only listed classes may make: clocks, randomness, files, terminal, waiting, git. */
class BannedCallsTest {
  @Test
  void simulatedCodeHasNoClockAndNoGlobalRandomness() {
    DescribedPredicate<JavaAccess<?>> banned =
        new DescribedPredicate<>("a clock or global randomness") {
          @Override
          public boolean test(JavaAccess<?> access) {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return owner.isEquivalentTo(System.class)
                    && (name.equals("nanoTime") || name.equals("currentTimeMillis"))
                || owner.isEquivalentTo(ThreadLocalRandom.class)
                || owner.isEquivalentTo(Math.class) && name.equals("random");
          }
        };
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.manx.policy..", "dev.manx.shares..", "dev.manx.workload..", "dev.manx.simulator..")
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.simulator.Meter")
        .should()
        .accessTargetWhere(banned)
        .check(CLASSES);
  }

  /** All others get a clock, or a {@code Stopwatch}, so that tests need not wait. */
  @Test
  void theClockIsReadInFewPlaces() {
    Set<String> readers =
        Set.of(
            // the default of a clock that may be set
            "dev.manx.client.FanoutCacheBuilder",
            "dev.manx.client.exchange.StatisticsServer",
            "dev.manx.client.timer.TimerThreads",
            "dev.manx.lab.cli.Terminal",
            // random seeds
            "dev.manx.client.ConfiguredStrategy",
            "dev.manx.lab.kind.cluster.ArmReader",
            "dev.manx.lab.kind.idle.IdleKind",
            // wall-clock time, as other servers and people read it
            "dev.manx.client.BackendLevel",
            "dev.manx.contention.squeeze.SqueezeJournal",
            "dev.manx.lab.cli.NewFolder",
            "dev.manx.lab.experiment.ExperimentRun",
            // one log line a minute
            "dev.manx.client.log.SparseLog",
            // waits for sockets and servers
            "dev.manx.client.control.Resizer",
            "dev.manx.client.exchange.HttpLoop",
            "dev.manx.client.exchange.StatisticsClient",
            "dev.manx.client.store.remote.InstanceSupervisor",
            "dev.manx.client.store.server.CacheServer",
            "dev.manx.client.memcached.MemcachedCalls",
            "dev.manx.client.memcached.Pipeline",
            "dev.manx.client.memcached.SlabPages",
            "dev.manx.client.redis.RedisLink",
            "dev.manx.client.testkit.LevelRace",
            "dev.manx.client.testkit.Relay",
            "dev.manx.client.testkit.RemoteStoreFixture",
            "dev.manx.lab.kind.cachelive.HttpBackend",
            // measurements of real threads, processes and servers
            "dev.manx.contention.engine.EngineBuild",
            "dev.manx.contention.idle.IdleTurn",
            "dev.manx.contention.idle.WaitingThread",
            "dev.manx.contention.idle.Work",
            "dev.manx.contention.idle.WorkerMain",
            "dev.manx.contention.squeeze.GuardMain",
            "dev.manx.contention.squeeze.Squeezer",
            "dev.manx.lab.cli.ClusterLogs",
            "dev.manx.lab.cli.WatchCommand",
            "dev.manx.lab.experiment.Stopwatch",
            "dev.manx.lab.kind.TimedRun",
            "dev.manx.lab.kind.TwoSteps",
            "dev.manx.lab.kind.cachelive.LiveTarget",
            "dev.manx.lab.kind.cluster.ArmSwitch",
            "dev.manx.lab.kind.cluster.ClusterPlayer",
            "dev.manx.lab.kind.cluster.Disturbance",
            "dev.manx.lab.kind.cluster.ProcessSampler",
            "dev.manx.lab.kind.cluster.TurnEvents",
            "dev.manx.lab.kind.idle.IdlePlayer",
            "dev.manx.lab.rbc.StatisticsLoad");
    DescribedPredicate<JavaAccess<?>> clock =
        new DescribedPredicate<>("a clock") {
          @Override
          public boolean test(JavaAccess<?> access) {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return owner.isEquivalentTo(System.class)
                    && (name.equals("nanoTime") || name.equals("currentTimeMillis"))
                || owner.getPackageName().equals("java.time") && name.equals("now");
          }
        };
    Set<String> reading = new TreeSet<>();
    for (JavaClass one : CLASSES) {
      if (one.getName().matches("dev\\.manx\\.(client|contention|lab)\\..*")
          && one.getAccessesFromSelf().stream().anyMatch(clock)) {
        reading.add(one.getName().replaceFirst("\\$.*", ""));
      }
    }
    assertThat(reading).isEqualTo(readers);
  }

  @Test
  void policiesDoNoInputAndOutput() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.manx.policy..", "dev.manx.shares..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels.."))
        .check(CLASSES);
  }

  @Test
  void onlyTheCommandLineWritesToTheTerminal() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.manx.lab.cli..")
        // the plugin's command: the output of java -jar
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.cassandra.boot.ConfigCheck")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CLASSES);
  }

  /** Threads wait for each other by {@code policy.idle}, which does not starve threads. */
  @Test
  void onlyPolicyIdleSpinsOrYields() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.manx.policy.idle..")
        // waits for a time, not for a thread: yields away the last 100 us before it
        .and()
        .doNotHaveFullyQualifiedName("dev.manx.load.Pacer$1")
        .should()
        .callMethod(Thread.class, "onSpinWait")
        .orShould()
        .callMethod(Thread.class, "yield")
        .check(CLASSES);
  }

  /** A sleep in a loop is a poll too; classes that sleep for another reason are listed here. */
  @Test
  void sleepingThreadsDoNotWaitForOurs() {
    List<String> sleepers =
        List.of(
            "dev.manx.load.Pacer$1", // until the next request is due
            "dev.manx.load.NodeAdmin", // until a cut connection may be back
            "dev.manx.local.cluster.NodeProcesses", // while nodes of Cassandra start
            "dev.manx.cassandra.lab.ServiceModel", // the modelled service time
            "dev.manx.cassandra.boot.Ticker", // between two ticks
            "dev.manx.cassandra.copy.CopyTimer", // until the next read may be late
            "dev.manx.cassandra.hold.HoldTimer", // until the next read is due
            "dev.manx.cassandra.record.LogFile", // between two checks of its buffer
            "dev.manx.operate.log.LogFetcher", // to limit its load on a node
            "dev.manx.contention.proc.Scratch", // while others that end write into its folder
            "dev.manx.contention.squeeze.GuardMain", // while it finds busy threads
            "dev.manx.contention.squeeze.SqueezedProcess", // the same
            "dev.manx.operate.warm.WarmCommand", // until the next sample
            "dev.manx.operate.top.TopCommand"); // the same
    DescribedPredicate<JavaAccess<?>> sleeps =
        new DescribedPredicate<>("a sleep of its own") {
          @Override
          public boolean test(JavaAccess<?> access) {
            JavaClass owner = access.getTargetOwner();
            String name = access.getTarget().getName();
            return name.equals("sleep")
                    && (owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class))
                || owner.isEquivalentTo(LockSupport.class) && name.startsWith("park");
          }
        };
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.manx.policy.idle..", "dev.manx.lab..", "dev.manx.client..")
        .and(
            new DescribedPredicate<JavaClass>("are not named as sleepers") {
              @Override
              public boolean test(JavaClass one) {
                return !sleepers.contains(one.getName());
              }
            })
        .should()
        .accessTargetWhere(sleeps)
        .check(CLASSES);
  }

  /**
   * Every result records whether the working copy had changes, because only one class calls git.
   */
  @Test
  void onlyGitRevisionAsksGit() throws IOException {
    List<String> asking = new ArrayList<>();
    for (String module : NAMES) {
      for (Path file : Modules.javaFiles(module, "src/main")) {
        if (Files.readString(file).contains("\"git\"")) {
          asking.add(file.getFileName().toString());
        }
      }
    }
    assertThat(asking).containsExactly("GitRevision.java");
  }
}
