/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.manx.lab.docs.Dashboards;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Prometheus with the configuration and the alert rules of {@code dashboards/}. */
final class PrometheusServer implements AutoCloseable {
  private static final String ADDRESS = "127.0.0.1:9090";

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();

  private PrometheusServer(Process process) {
    this.process = process;
  }

  /** The program given by {@code MANX_PROMETHEUS}, otherwise the one on the path. */
  static Optional<Path> program() {
    String named = System.getenv("MANX_PROMETHEUS");
    Stream<String> places =
        named == null
            ? Stream.of(System.getenv("PATH").split(":", -1)).map(folder -> folder + "/prometheus")
            : Stream.of(named);
    return places.map(Path::of).filter(Files::isExecutable).findFirst();
  }

  /**
   * Starts it.
   *
   * @param targets addresses of the exporters
   */
  static PrometheusServer start(Path program, Path folder, List<String> targets) throws Exception {
    Files.createDirectories(folder);
    for (String file : List.of("prometheus.yml", "alerts.yaml")) {
      Files.copy(Dashboards.FOLDER.resolve(file), folder.resolve(file));
    }
    Files.writeString(
        folder.resolve("nodes.yaml"),
        "- labels: { cluster: production }\n  targets: [%s]\n"
            .formatted(String.join(", ", targets)));
    Process process =
        new ProcessBuilder(
                "setpriv",
                "--pdeathsig",
                "KILL",
                program.toString(),
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=" + ADDRESS)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output.txt").toFile())
            .start();
    return new PrometheusServer(process);
  }

  /** The number of series in the answer to a query of the board or of a rule. */
  int series(String query) throws IOException, InterruptedException {
    String asked =
        query
            .replace("$__rate_interval", "1m")
            .replace("$cluster", ".*")
            .replace("$instance", ".*")
            .replaceFirst("^label_values\\((.*), *(\\w+)\\)$", "count by ($2) ($1)");
    URI uri =
        URI.create(
            "http://"
                + ADDRESS
                + "/api/v1/query?query="
                + URLEncoder.encode(asked, StandardCharsets.UTF_8));
    HttpRequest get = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
    JsonNode answer = new ObjectMapper().readTree(client.send(get, BodyHandlers.ofString()).body());
    assertThat(answer.path("status").asText()).as(asked + ": " + answer).isEqualTo("success");
    return answer.at("/data/result").size();
  }

  /** The same as soon as there is one; of a query without any, after several tries. */
  int awaitSeries(String query) {
    List<Integer> found = new ArrayList<>();
    Waiting.until(
        query,
        () -> {
          try {
            found.add(series(query));
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return found.get(found.size() - 1) > 0 || found.size() > 3;
        });
    return found.get(found.size() - 1);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
