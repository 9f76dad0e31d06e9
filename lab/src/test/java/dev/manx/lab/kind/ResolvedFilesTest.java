/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.settings.Forms;
import dev.manx.lab.settings.Items;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.Shape;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A resolved file has a value for every setting, as docs/measure/result-files.md says. */
@Tag("slow")
class ResolvedFilesTest {
  private static final ManxHome HOME = ManxHome.find();

  static List<Path> examples() throws IOException {
    try (Stream<Path> files = Files.list(HOME.root().resolve("examples"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyDefaultIsInTheResolvedFile(Path file) {
    ConfigNode resolved =
        ConfigNode.parse("resolved", Kinds.read(file, Choices.none(), HOME).text());
    Section keys = Kinds.settings().get(resolved.at("on").text());
    List<String> missing = new ArrayList<>();
    collect(keys, resolved, missing);
    assertThat(missing).isEmpty();
  }

  /** Adds the keys with a default that the file does not have. */
  private static void collect(Shape shape, ConfigNode node, List<String> missing) {
    if (shape instanceof Section section) {
      for (Key key : section.keys()) {
        if (node.find(key.name()).isPresent()) {
          collect(key.shape(), node.at(key.name()), missing);
        } else if (key.presence() == Key.Presence.DEFAULT && key.isWritten()) {
          missing.add((node.key() + "." + key.name()).replaceFirst("^\\.", ""));
        }
      }
    } else if (shape instanceof Named named) {
      node.names().forEach(name -> collect(named.each(), node.at(name), missing));
    } else if (shape instanceof Items items) {
      node.items().forEach(item -> collect(items.item(), item, missing));
    } else if (shape instanceof Forms forms) {
      forms.forms().stream()
          .filter(form -> form.fits().test(node))
          .findFirst()
          .ifPresent(form -> collect(form.shape(), node, missing));
    }
  }
}
