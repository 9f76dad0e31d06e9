/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Debian's Chromium, headless, with an empty profile and no way to resolve a name. */
final class Chromium {
  private static final Path BINARY = Path.of("/usr/bin/chromium");
  private static final Pattern CONSOLE = Pattern.compile(".*CONSOLE[:(].*");

  /**
   * A page after its scripts ran.
   *
   * @param dom the document, serialized
   * @param console what the page wrote to the console
   * @param requests addresses requested from the network
   */
  record Page(String dom, List<String> console, List<String> requests) {
    /** An attribute of a start tag, unescaped; fails if it is not there. */
    String attribute(String tag, String name) {
      Matcher found =
          Pattern.compile("<" + tag + "\\b[^>]*\\s" + name + "=\"([^\"]*)\"").matcher(dom);
      if (!found.find()) {
        throw new AssertionError("<" + tag + "> has no " + name + "; console: " + console);
      }
      return found
          .group(1)
          .replace("&quot;", "\"")
          .replace("&lt;", "<")
          .replace("&gt;", ">")
          .replace("&amp;", "&");
    }
  }

  private Chromium() {}

  /** Machines of the project's checks must have it; elsewhere its tests may be skipped. */
  static boolean mayRun() {
    return System.getenv("CI") != null || Files.isExecutable(BINARY);
  }

  static Page open(Path html, Path emptyDirectory) throws IOException, InterruptedException {
    Path netLog = emptyDirectory.resolve("net-log.json");
    Path dom = emptyDirectory.resolve("dom.html");
    Path errors = emptyDirectory.resolve("stderr.txt");
    Process process =
        new ProcessBuilder(
                BINARY.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-features=NetworkTimeServiceQuerying,OptimizationHints",
                "--disable-extensions",
                "--disable-dev-shm-usage",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--user-data-dir=" + emptyDirectory.resolve("profile"),
                "--log-net-log=" + netLog,
                "--enable-logging=stderr",
                "--window-size=1280,4000",
                "--virtual-time-budget=10000",
                "--dump-dom",
                html.toUri().toString())
            .redirectOutput(dom.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      if (!process.waitFor(120, TimeUnit.SECONDS)) {
        throw new AssertionError("chromium did not end: " + Files.readString(errors));
      }
    } finally {
      process.destroyForcibly();
    }
    // The browser's own pages also write: without a network, about a slow one.
    List<String> console =
        Files.readAllLines(errors).stream()
            .filter(l -> CONSOLE.matcher(l).matches())
            .filter(line -> !line.contains("source: chrome://"))
            .toList();
    return new Page(Files.readString(dom), console, requests(netLog));
  }

  /** Requests that a page started; the browser's own have no origin. */
  private static List<String> requests(Path netLog) throws IOException {
    JsonNode log = new ObjectMapper().readTree(netLog.toFile());
    List<String> urls = new ArrayList<>();
    for (JsonNode event : log.path("events")) {
      String initiator = event.path("params").path("initiator").asText("not an origin");
      if (!initiator.equals("not an origin")) {
        urls.add(event.path("params").path("url").asText());
      }
    }
    return urls;
  }
}
