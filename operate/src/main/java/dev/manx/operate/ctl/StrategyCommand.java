/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.FileReasons;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.OwnVersion;
import dev.manx.operate.look.StrategyNames;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import dev.manx.policy.strategy.StrategyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx ctl strategy}. */
@Command(
    name = "strategy",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Sets another strategy on nodes: a preset, or a YAML file.",
      "The file's key is `strategy`; of a node's manx.yaml only this key is read. It is checked here first, and again by each node; a node that rejects it keeps its old one. An oracle that stays the same keeps its learnt data. The mode does not change."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage or an invalid strategy.",
      "Presets and policies: ./manx policies. For a third party's policy, set MANX_POLICIES to its jar.",
      "",
      "Examples:",
      "  ./manx ctl strategy manx --on production",
      "  ./manx ctl strategy my-strategy.yaml --on production --nodes 10.0.1.11"
    })
final class StrategyCommand extends Changing {
  @Parameters(paramLabel = "NAME|FILE", description = "A preset, or a YAML file.")
  private String strategy;

  private String document;
  private Strategy expected;

  @Override
  protected void prepare() {
    if (Presets.find(strategy).isPresent()) {
      document = "strategy: " + strategy;
      expected = StrategyNames.parse(document);
      return;
    }
    String text = text();
    StrategyFile file = StrategyFile.of(strategy, text);
    expected = Strategy.of(file.strategy(), System::nanoTime);
    document = file.others().isEmpty() ? text : written(file.strategy());
    file.ignored()
        .ifPresent(
            line ->
                say(
                    line
                        + ". To use them too, copy the file to the nodes, then: ./manx ctl reload"));
  }

  /** A preset by its name, so that nodes of another version read it as theirs. */
  private String written(ConfigNode value) {
    return value.isMapping() ? expected.document() : "strategy: " + value.text();
  }

  /** What nodes are asked to read. */
  String document() {
    return document;
  }

  private String text() {
    try {
      if (Files.isRegularFile(Path.of(strategy))) {
        return Files.readString(Path.of(strategy));
      }
    } catch (IOException e) {
      throw ConfigException.unreadable(strategy, FileReasons.why(e));
    }
    throw new ConfigException(
        "command line",
        0,
        "NAME|FILE",
        strategy,
        "a YAML file with a strategy, or a preset: " + Presets.names());
  }

  @Override
  String what() {
    return "strategy " + strategy;
  }

  @Override
  Change passing() {
    return new Change("document", document, StrategyNames::of, this::isAsAsked, false)
        .orAlike(this::isAlike);
  }

  private boolean isAsAsked(NodeState state) {
    return state.row("document").equals(expected.document());
  }

  /** Another version may write settings differently; the policies must be the same. */
  private boolean isAlike(NodeState state) {
    return !state.version().equals(OwnVersion.text())
        && expected.names().entrySet().stream()
            .allMatch(one -> one.getValue().equals(state.row("policy." + one.getKey())));
  }

  @Override
  String hint() {
    return "This lasts until a node restarts; --persist, or `strategy:` in its manx.yaml, keeps it.";
  }
}
