/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.manx.lab.docs.Dashboards;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/board-picture} with a Prometheus that gives one answer to all queries. */
@Tag("engines")
class BoardPictureTest {
  private static final String SERIES =
      "{\"metric\":{\"cluster\":\"shop.eu\",\"instance\":\"10.0.0.1:7070\","
          + "\"group\":\"acted\",\"width\":\"2-5\",\"hook\":\"order\",\"class\":\"a<b\"},";
  private static final String VECTOR = SERIES + "\"value\":[1000,\"2\"]}";
  private static final String MATRIX =
      SERIES + "\"values\":[[1000,\"0.01\"],[1015,\"0.0234\"],[1030,\"NaN\"],[1090,\"0.02\"]]}";

  @TempDir private Path folder;

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;
  private String range = MATRIX;

  private record Run(int code, String output) {}

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/",
        exchange -> {
          asked.add(
              URLDecoder.decode(exchange.getRequestURI().getRawQuery(), StandardCharsets.UTF_8));
          boolean moment = exchange.getRequestURI().getPath().endsWith("query");
          byte[] answer =
              ("{\"status\":\"success\",\"data\":{\"result\":[" + (moment ? VECTOR : range) + "]}}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Run run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(ManxHome.find().root().resolve("tools/board-picture").toString());
    command.add("--prometheus=http://127.0.0.1:" + server.getAddress().getPort());
    command.addAll(List.of(options));
    command.add(folder.resolve("board.svg").toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), output);
  }

  private String picture() throws Exception {
    Path file = folder.resolve("board.svg");
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    return Files.readString(file);
  }

  @Test
  void everyPanelIsDrawnWithWhatPrometheusAnswers() throws Exception {
    Run run = run();
    assertThat(run.code()).as(run.output()).isZero();
    String picture = picture();
    JsonNode board =
        new ObjectMapper().readTree(Dashboards.FOLDER.resolve("grafana/manx.json").toFile());
    for (JsonNode panel : board.get("panels")) {
      assertThat(picture)
          .contains(panel.get("title").asText().replace("$instance", "10.0.0.1:7070"));
    }
    assertThat(picture)
        .contains("Cluster: shop.eu   Node: 10.0.0.1:7070 (one of 1)")
        .contains(">on</text>", ">25 ms</text>")
        .contains(">acted 2-5 keys</text>", "a&lt;b", ", not by Grafana.</text>")
        .doesNotContain("No data", "nan");
    assertThat(asked).hasSizeGreaterThan(board.get("panels").size());
    assertThat(asked).noneMatch(query -> query.contains("$"));
    assertThat(asked)
        .anyMatch(query -> query.contains("[60s]"))
        .anyMatch(query -> query.contains("{cluster=~\"shop\\\\.eu\"}"))
        .anyMatch(query -> query.contains("instance=~\"10\\\\.0\\\\.0\\\\.1:7070\""));
  }

  /** A panel that is new, or has another title, is in the guide's picture. */
  @Test
  void theGuidesPictureHasThePanelsOfTheBoard() throws Exception {
    String picture = Files.readString(ManxHome.find().root().resolve("docs/images/board.svg"));
    List<String> drawn =
        Pattern.compile(" class=\"title\"[^>]*>(?:<title>[^<]*</title>)?(?:▾ )?([^<]*)</text>")
            .matcher(picture)
            .results()
            .map(title -> title.group(1))
            .toList();
    Matcher node = Pattern.compile("Node: (\\S+) \\(one of").matcher(picture);
    assertThat(node.find()).isTrue();
    JsonNode board =
        new ObjectMapper().readTree(Dashboards.FOLDER.resolve("grafana/manx.json").toFile());
    List<String> titles = new ArrayList<>();
    for (JsonNode panel : board.get("panels")) {
      titles.add(panel.get("title").asText().replace("$instance", node.group(1)));
    }
    assertThat(drawn).isEqualTo(titles);
  }

  @Test
  void answersThatWereKeptAreDrawnAgain() throws Exception {
    String kept = "--answers=" + folder.resolve("answers.json");
    assertThat(run(kept).code()).isZero();
    String first = picture();
    asked.clear();
    assertThat(run(kept).code()).isZero();
    assertThat(picture()).isEqualTo(first);
    assertThat(asked).isEmpty();
  }

  @Test
  void aPanelWithoutAnAnswerSaysSo() throws Exception {
    range = "";
    assertThat(run().code()).isZero();
    assertThat(picture()).contains("No data", ">on</text>");
  }

  @Test
  void failedQueriesAreReported() throws Exception {
    Run other = run("--node=10.0.0.2:7070");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.output())
        .isEqualTo("board-picture: no node 10.0.0.2:7070; there are 10.0.0.1:7070\n");
    assertThat(run("--cluster=east").output())
        .isEqualTo("board-picture: no cluster east; there are shop.eu\n");
    server.stop(0);
    assertThat(run().output()).startsWith("board-picture: ").contains("Connection refused");
    assertThat(folder.resolve("board.svg")).doesNotExist();
  }
}
