/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.client.exchange.ExchangeSettings;
import dev.manx.client.exchange.StatisticsServer;
import dev.manx.lab.rbc.StatisticsLoad;
import dev.manx.operate.connect.Passwords;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.workload.result.Histograms;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx rbc-server}: merges the statistics of several application servers. */
@Command(
    name = "rbc-server",
    mixinStandardHelpOptions = true,
    description = {
      "Merges the statistics of several application servers' caches over HTTP.",
      "Each of them then decides on the statistics of all (RobinHood's RBC server). Only the last minute is kept, in bounded memory. Either side may be restarted at any time; meanwhile shares do not change.",
      "It also forwards the servers' invalidations of keys, for applications without a Redis.",
      "",
      "By default it listens on this machine alone. On another address it needs a secret. The secret is sent unencrypted: outside a trusted network, put TLS in front of the server.",
      "docs/embed/cache-stores.md explains how an application connects."
    },
    footer = {
      "",
      "Examples:",
      "  ./manx rbc-server",
      "  ./manx rbc-server --listen 10.0.0.5:7411 --secret-file rbc.secret",
      "  printf 'Authorization: Bearer %%s' \"$(cat rbc.secret)\" |",
      "    curl -H @- http://10.0.0.5:7411/v1/status",
      "  ./manx rbc-server --self-test     16 servers of 1,000 requests/s, for 15 s"
    })
final class RbcServerCommand implements Callable<Integer> {
  private static final String COMMAND_LINE = "command line";
  private static final Set<String> OF_A_SERVER =
      Set.of("--listen", "--secret-file", "--keep", "--max-body", "--max-backends");
  private static final Set<String> OF_A_TEST =
      Set.of("--servers", "--rate", "--interval", "--length");

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:7411",
      description = "Address and port to listen on (default: ${DEFAULT-VALUE}).")
  private String listen;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = {
        "A file whose one line is the secret, 16 to 512 printable characters.",
        "Default: the environment variable MANX_RBC_SECRET, if set."
      })
  private Path secretFile;

  @Option(
      names = "--keep",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long windows and invalidations are kept for late servers (default: 60s).")
  private String keep;

  @Option(
      names = "--max-body",
      paramLabel = "BYTES",
      defaultValue = "512KiB",
      description = "Larger posts are rejected with 413 (default: 512KiB).")
  private String maxBody;

  @Option(
      names = "--max-backends",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Largest number of different backends of all servers (default: 1024).")
  private int maxBackends;

  @Option(
      names = "--self-test",
      description = "Starts a server, puts load on it from this process, and prints the results.")
  private boolean selfTest;

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "16",
      description = "Self-test: application servers (default: 16).")
  private int servers;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Self-test: requests per second of each (default: 1000).")
  private int rate;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = "Self-test: time between two exchanges of a server (default: 5s).")
  private String interval;

  @Option(
      names = "--length",
      paramLabel = "TIME",
      defaultValue = "15s",
      description = "Self-test: duration (default: 15s).")
  private String length;

  @Spec private CommandSpec spec;

  private final Terminal terminal = new Terminal();

  @Override
  public Integer call() throws Exception {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if ((selfTest ? OF_A_SERVER : OF_A_TEST).contains(option.longestName())) {
        throw new ParameterException(
            spec.commandLine(),
            option.longestName()
                + (selfTest ? " cannot be combined with --self-test" : " needs --self-test"));
      }
    }
    return selfTest ? test() : serve();
  }

  private int serve() throws IOException, InterruptedException {
    ExchangeSettings settings = settings();
    try (StatisticsServer server = start(settings)) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "manx-stop-rbc-server"));
      terminal.line(
          "listening on "
              + server.address().getHostString()
              + ":"
              + server.address().getPort()
              + (settings.secret() == null ? ", without a secret" : ", with a secret")
              + "; Ctrl-C ends it");
      new CountDownLatch(1).await();
      return 0;
    }
  }

  private StatisticsServer start(ExchangeSettings settings) throws IOException {
    try {
      return StatisticsServer.start(settings);
    } catch (IOException e) {
      throw refused(
          "--listen", listen, "a free address and port of this machine: " + e.getMessage());
    }
  }

  private ExchangeSettings settings() throws IOException {
    try {
      return new ExchangeSettings(
          address(),
          secret(),
          duration("--keep", keep),
          (int)
              Math.min(
                  Integer.MAX_VALUE,
                  Units.bytes(maxBody)
                      .orElseThrow(() -> refused("--max-body", maxBody, "a size such as 512KiB"))),
          maxBackends);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private InetSocketAddress address() {
    int colon = listen.lastIndexOf(':');
    if (colon < 1 || !listen.substring(colon + 1).matches("[0-9]{1,5}")) {
      throw refused("--listen", listen, "HOST:PORT, for example 127.0.0.1:7411");
    }
    int port = Integer.parseInt(listen.substring(colon + 1));
    if (port > 65_535) {
      throw refused("--listen", listen, "a port up to 65535");
    }
    return new InetSocketAddress(listen.substring(0, colon), port);
  }

  private String secret() throws IOException {
    if (secretFile == null) {
      return System.getenv("MANX_RBC_SECRET");
    }
    if (!Files.isReadable(secretFile) || Files.isDirectory(secretFile)) {
      throw refused("--secret-file", secretFile.toString(), "a readable file");
    }
    Passwords.exposed(secretFile, "secret file")
        .ifPresent(warning -> spec.commandLine().getErr().println("manx: " + warning));
    spec.commandLine().getErr().flush();
    return Files.readString(secretFile).strip();
  }

  private static Duration duration(String name, String text) {
    return Duration.ofNanos(
        Units.durationNanos(text)
            .orElseThrow(() -> refused(name, text, "a time such as 5s or 500ms")));
  }

  private static ConfigException refused(String name, String value, String allowed) {
    return new ConfigException(COMMAND_LINE, 0, name, value, allowed);
  }

  private int test() throws IOException, InterruptedException {
    Duration every = duration("--interval", interval);
    Duration whole = duration("--length", length);
    ConfigNode.option(COMMAND_LINE, "--servers", Integer.toString(servers)).integer(1, 1_000);
    ConfigNode.option(COMMAND_LINE, "--rate", Integer.toString(rate)).integer(1, 1_000_000);
    if (every.isZero() || whole.compareTo(every) < 0) {
      throw refused("--interval", interval, "more than 0, and at most the length of the test");
    }
    terminal.line(
        servers + " application servers, " + rate + " requests/s each, a window every " + interval);
    StatisticsLoad.Result result = new StatisticsLoad(servers, rate, every, whole).run();
    terminal.line(
        String.format(
            Locale.ROOT,
            "%d exchanges, %d failed%n"
                + "bodies to and from each server: %.2f KB/s%n"
                + "exchange: P50 %.1f ms, P99 %.1f ms, max %.1f ms%n"
                + "CPU of all, servers and generator included: %.2f cores%n"
                + "requests recorded %d; smallest number known to a server: %d",
            result.exchanges(),
            result.failures(),
            result.bytesPerSecondOfOne() / 1e3,
            Histograms.percentileUs(result.exchangeNanos(), 50) / 1e3,
            Histograms.percentileUs(result.exchangeNanos(), 99) / 1e3,
            Histograms.percentileUs(result.exchangeNanos(), 100) / 1e3,
            result.cpuShare(),
            result.requestsSent(),
            result.leastSeen()));
    return result.failures() == 0 ? 0 : 1;
  }
}
