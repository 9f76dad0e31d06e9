/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.record.PlanPaging;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/** The experiment behind a cluster's advice, in the format of {@code manx run}. */
final class AdviceFile {
  /** Name of the experiment. */
  static final String NAME = "advice";

  /** The baseline arm. */
  static final String STOCK = "stock";

  /** Stock's choices with multigets read in parallel; played if drivers page them. */
  static final String UNPAGED = "unpaged";

  private static final MathContext DIGITS = new MathContext(4);

  private AdviceFile() {}

  /**
   * The file's text.
   *
   * @param logs the recorded logs
   * @param loads factors of the recorded load
   * @param arms strategies in addition to stock, by name, each a preset or a file
   * @param seeds number of seeds
   * @param requests number of requests per run
   */
  static String text(
      ClusterModel model,
      List<Path> logs,
      List<Double> loads,
      Map<String, String> arms,
      int seeds,
      long requests) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("experiment", NAME);
    file.put(
        "description",
        "Requests recorded on "
            + model.recording().logs().size()
            + " nodes, played with other strategies. Their arrivals are "
            + ArrivalWords.of(model.shape())
            + ".");
    file.put("on", "simulator");
    file.put("baseline", STOCK);
    file.put("model", model(model));
    file.put(
        "workload",
        YamlText.ordered(
            "kind",
            "recorded",
            "logs",
            logs.stream().map(log -> log.toAbsolutePath().toString()).toList(),
            "arrivals",
            model.shape().times().name().toLowerCase(Locale.ROOT)));
    file.put("classes", List.of("single", "narrow", "wide"));
    file.put("loads", loads.stream().map(load -> rate(model, load)).toList());
    file.put("seeds", LongStream.rangeClosed(1, seeds).boxed().toList());
    file.put("requests", requests);
    file.put("warm-up", 0.1);
    file.put("arms", arms(model, arms));
    return YamlText.of(file);
  }

  /** A load as written in the file and in the results. */
  static String rate(ClusterModel model, double factor) {
    return perSecond(factor * model.requestsPerSecond()) + "/s";
  }

  /** A rate without its unit, to four digits: it may be thousands in a second or one in an hour. */
  static String perSecond(double rate) {
    return new BigDecimal(rate).round(DIGITS).toPlainString();
  }

  private static Map<String, Object> model(ClusterModel model) {
    int nodes = model.recording().nodes().size();
    return YamlText.ordered(
        "nodes",
        nodes,
        "cores",
        model.readThreads(),
        "replication-factor",
        1,
        "coordinators",
        nodes,
        "network",
        YamlText.ordered("one-way", YamlText.nanos(model.oneWayNanos())),
        "service",
        YamlText.ordered("base", YamlText.nanos(Math.round(model.source().meanServiceNanos()))),
        "speeds",
        YamlText.ordered("fixed", Arrays.stream(model.recording().speeds()).boxed().toList()),
        "longest-wait",
        YamlText.nanos(model.longestWaitNanos()));
  }

  private static Map<String, Object> arms(ClusterModel model, Map<String, String> others) {
    Map<String, Object> arms = new LinkedHashMap<>();
    arms.put(
        STOCK,
        YamlText.ordered(
            "description",
            "stock: replicas by "
                + model.stock().words()
                + ", arrival order, paged multigets key by key",
            "strategy",
            stock(model, true)));
    if (model.recording().requests().stream().anyMatch(one -> one.paging() == PlanPaging.STOCKS)) {
      arms.put(
          UNPAGED,
          YamlText.ordered(
              "description",
              "stock, but with multigets read in parallel, like Manx",
              "strategy",
              stock(model, false)));
    }
    others.forEach((name, strategy) -> arms.put(name, YamlText.ordered("strategy", strategy)));
    return arms;
  }

  private static Map<String, Object> stock(ClusterModel model, boolean paged) {
    return YamlText.mapping(ConfigNode.parse(STOCK, model.stock().document(paged)).at("strategy"));
  }
}
