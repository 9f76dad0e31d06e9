/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.kind.Kinds;
import dev.manx.lab.reference.ExperimentSchema;
import dev.manx.lab.reference.ExperimentTables;
import dev.manx.lab.reference.Registry;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx kinds}: lists the kinds of experiments and the keys of their files. */
@Command(
    name = "kinds",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the kinds of experiments: the values of the key `on` of an experiment file.",
      "docs/measure/experiment-settings.md lists the settings of each."
    })
final class KindsCommand implements Callable<Integer> {
  @Option(names = "--settings", description = "Every setting of every kind, as Markdown.")
  private boolean settings;

  @Option(
      names = "--schema",
      description = "A JSON schema of experiment files, for editors that check YAML.")
  private boolean schema;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (settings && schema) {
      throw new ParameterException(spec.commandLine(), "give --settings or --schema, not both");
    }
    Terminal terminal = new Terminal();
    if (settings) {
      terminal.line(ExperimentTables.page(Kinds.settings()).stripTrailing());
    } else if (schema) {
      terminal.line(ExperimentSchema.of(Kinds.settings(), Registry.all()).toPrettyString());
    } else {
      Kinds.summaries()
          .forEach(
              (name, summary) ->
                  terminal.line(String.format(Locale.ROOT, "%-12s %s", name, summary)));
    }
    return 0;
  }
}
