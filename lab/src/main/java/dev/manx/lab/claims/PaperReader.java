/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.Paper.Run;
import dev.manx.lab.claims.WorkedExample.Of;
import dev.manx.lab.claims.WorkedExample.Part;
import dev.manx.lab.claims.WorkedExample.Shown;
import dev.manx.lab.experiment.Resources;
import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the papers' files, which are resources next to this class; docs/design/claims.md explains
 * the keys.
 */
final class PaperReader {
  /** The names of all papers, in the order of the page. */
  static final List<String> FILES =
      List.of("tailx.yaml", "brb.yaml", "mongodb.yaml", "robinhood.yaml", "hector.yaml");

  private static final Pattern PART = Pattern.compile("S([1-9][0-9]?)=([1-9][0-9]{0,2})");
  private static final int MOST_SERVERS = 99;

  private PaperReader() {}

  static List<Paper> all() {
    return FILES.stream().map(name -> read(name, Resources.text(PaperReader.class, name))).toList();
  }

  /**
   * Reads one paper.
   *
   * @throws ConfigException if it is invalid
   */
  static Paper read(String file, String text) {
    ConfigNode top = ConfigNode.parse(file, text);
    String id = top.at("paper").text();
    String title = top.at("title").text();
    String setup = top.at("setup").text();
    List<Run> runs = runs(top.at("runs"));
    Set<String> known = new LinkedHashSet<>();
    runs.forEach(run -> known.add(run.experiment()));
    List<Claim> claims = new ArrayList<>();
    for (ConfigNode item : top.at("claims").items()) {
      claims.add(claim(item, known));
    }
    top.noOtherKeys();
    return new Paper(id, title, setup, runs, claims);
  }

  private static List<Run> runs(ConfigNode node) {
    List<Run> runs = new ArrayList<>();
    for (String name : node.names()) {
      ConfigNode run = node.at(name);
      runs.add(
          new Run(
              name,
              run.at("file").text(),
              run.find("takes").map(ConfigNode::text).orElse(""),
              run.find("remarks-of").map(ConfigNode::text).orElse(""),
              notes(run.find("notes"))));
      run.noOtherKeys();
    }
    return runs;
  }

  private static Map<String, String> notes(Optional<ConfigNode> node) {
    Map<String, String> notes = new LinkedHashMap<>();
    node.ifPresent(
        all ->
            all.names().forEach(revision -> notes.put(revision, all.at(revision).text().trim())));
    return notes;
  }

  private static Claim claim(ConfigNode node, Set<String> runs) {
    String id = node.at("id").text();
    String setting = node.at("setting").text();
    String published = node.at("published").text();
    String run =
        node.find("run").map(ConfigNode::text).orElse(runs.isEmpty() ? "" : runs.iterator().next());
    Map<String, FigureSpec> figures = new LinkedHashMap<>();
    Optional<ConfigNode> described = node.find("figures");
    described.ifPresent(
        all ->
            all.names().forEach(name -> figures.put(name, FigureReader.read(all.at(name), run))));
    for (FigureSpec figure : figures.values()) {
      if (!runs.contains(figure.run())) {
        throw described.orElse(node).refuse("runs of this paper: " + String.join(", ", runs));
      }
    }
    Optional<WorkedExample> example = node.find("example").map(PaperReader::example);
    Set<String> names = new LinkedHashSet<>(figures.keySet());
    example.ifPresent(played -> names.addAll(played.figures().keySet()));
    Claim claim =
        new Claim(
            id,
            setting,
            published,
            figures,
            example,
            rules(node.find("reproduced"), names),
            rules(node.find("regime"), names),
            rules(node.find("beyond"), names),
            node.find("regime-words").map(ConfigNode::text).orElse(""),
            node.find("bounds").map(text -> text.text().trim()).orElse(""),
            remarks(node.find("remarks")));
    node.noOtherKeys();
    return claim;
  }

  private static Map<String, Rule> rules(Optional<ConfigNode> node, Set<String> figures) {
    Map<String, Rule> rules = new LinkedHashMap<>();
    node.ifPresent(
        all -> {
          for (String name : all.names()) {
            if (!figures.contains(name)) {
              throw all.refuse("figures of this claim: " + String.join(", ", figures));
            }
            Rule rule = Rule.of(all.at(name));
            if (rule.other().isPresent() && !figures.contains(rule.other().get())) {
              throw all.at(name).refuse("figures of this claim: " + String.join(", ", figures));
            }
            rules.put(name, rule);
          }
        });
    return rules;
  }

  private static Map<ClaimVerdict, String> remarks(Optional<ConfigNode> node) {
    Map<ClaimVerdict, String> remarks = new EnumMap<>(ClaimVerdict.class);
    node.ifPresent(
        all -> {
          for (ClaimVerdict verdict : ClaimVerdict.values()) {
            all.find(verdict.key()).ifPresent(text -> remarks.put(verdict, text.text().trim()));
          }
          all.noOtherKeys();
        });
    return remarks;
  }

  private static WorkedExample example(ConfigNode node) {
    int servers = (int) node.at("servers").integer(1, MOST_SERVERS);
    List<List<Part>> requests = new ArrayList<>();
    ConfigNode listed = node.at("requests");
    for (String name : listed.names()) {
      List<Part> parts = new ArrayList<>();
      for (ConfigNode item : listed.at(name).items()) {
        Matcher part = PART.matcher(item.text());
        if (!part.matches() || Integer.parseInt(part.group(1)) > servers) {
          throw item.refuse("S1=2: two units on server 1, of at most S" + servers);
        }
        parts.add(new Part(Integer.parseInt(part.group(1)), Integer.parseInt(part.group(2))));
      }
      requests.add(parts);
    }
    Map<String, Shown> figures = new LinkedHashMap<>();
    ConfigNode shown = node.at("figures");
    for (String name : shown.names()) {
      ConfigNode item = shown.at(name);
      String document = YamlText.of(Map.of("strategy", YamlText.tree(item.at("strategy"))));
      String of = item.at("of").oneOf("mean", "first", "last");
      figures.put(name, new Shown(document, Of.valueOf(of.toUpperCase(Locale.ROOT))));
      item.noOtherKeys();
    }
    node.noOtherKeys();
    return new WorkedExample(servers, requests, figures);
  }
}
