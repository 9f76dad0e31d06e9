/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.SourceFiles;
import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/**
 * Commands shown in the guide, in the heads of the examples and in the help of the commands are
 * accepted: their options exist, and an experiment can be read with them. Nothing is run.
 */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ShownCommandsTest {
  private static final ManxHome HOME = ManxHome.find();
  private static final Path EXAMPLES = HOME.root().resolve("examples");
  private static final Pattern CONTINUED = Pattern.compile("\\\\\\n\\s*");
  private static final Pattern INLINE = Pattern.compile("`(\\./manx [^`]*)`");
  private static final Pattern ON_A_LINE =
      Pattern.compile("(?m)^\\s*(?:\\$ )?(?:sudo )?(\\./manx .*)$");
  private static final Pattern WIDE_GAP = Pattern.compile(" {2,}(?![-' ])");
  private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^\\s'\"]+)|(\\s+)");
  private static final Pattern SETTING = Pattern.compile("--set ('[^']*'|[^\\s,;]+)");
  private static final String SEEDS =
      IntStream.rangeClosed(1, 20).mapToObj(Integer::toString).collect(Collectors.joining(","));

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    return SourceFiles.under(folder).stream()
        .filter(file -> file.toString().endsWith(ending))
        .toList();
  }

  /** The comment of an example, without its marks. */
  private static String comment(Path example) {
    return text(example)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^# ?", ""))
        .collect(Collectors.joining("\n"));
  }

  private static Stream<String> commands(String text) {
    String joined = CONTINUED.matcher(text).replaceAll(" ");
    return Stream.of(INLINE, ON_A_LINE)
        .flatMap(form -> form.matcher(joined).results())
        .map(found -> found.group(1).replace('\n', ' '))
        // What stands behind a wide gap explains the command.
        .map(command -> WIDE_GAP.split(command)[0].replaceAll(" +", " "))
        // Placeholders, not commands.
        .filter(command -> !command.contains("..."));
  }

  private static TreeSet<String> shown() throws IOException {
    TreeSet<String> all = new TreeSet<>();
    commands(text(HOME.root().resolve("README.md"))).forEach(all::add);
    files(HOME.root().resolve("docs"), ".md")
        .forEach(page -> commands(text(page)).forEach(all::add));
    files(EXAMPLES, ".yaml").forEach(example -> commands(comment(example)).forEach(all::add));
    helps(Manx.commandLine()).flatMap(ShownCommandsTest::commands).forEach(all::add);
    return all;
  }

  private static Stream<String> helps(CommandLine command) {
    CommandLine.Model.UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    return Stream.concat(
        Stream.of(usage.description(), usage.footer())
            .map(lines -> String.join("\n", lines).replace("%%", "%")),
        command.getSubcommands().values().stream().distinct().flatMap(ShownCommandsTest::helps));
  }

  /** The words of a command as a shell splits them, up to a comment or an operator of the shell. */
  private static List<String> words(String command) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    String known =
        command
            .replace("$(seq -s, 20)", SEEDS)
            .replaceAll("\\$\\([^)]*\\)", "1")
            .replace("[--quick]", "--quick");
    for (MatchResult part : WORD.matcher(known + " ").results().toList()) {
      if (part.group(4) == null) {
        word.append(
            Stream.of(1, 2, 3).map(part::group).filter(Objects::nonNull).findFirst().orElseThrow());
        continue;
      }
      if (List.of("#", ">", "|", "&&").contains(word.toString())) {
        break;
      }
      if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    return words.subList(1, words.size());
  }

  /** The reason why a command is refused; empty if it is not. */
  private static Optional<String> refusal(String command) {
    String[] words = words(command).toArray(String[]::new);
    try {
      Manx.commandLine().parseArgs(words);
    } catch (CommandLine.MissingParameterException e) {
      // A command that is only named.
      return Optional.empty();
    } catch (CommandLine.ParameterException e) {
      return Optional.of(command + ": " + e.getMessage());
    }
    // The policy of one's own is in a jar that another test builds.
    boolean runs = words.length > 1 && words[0].equals("run") && !words[1].contains("own-policy");
    return runs && Files.isRegularFile(HOME.root().resolve(words[1]))
        ? unreadable(HOME.root().resolve(words[1]), Arrays.copyOfRange(words, 2, words.length))
            .map(why -> command + ": " + why)
        : Optional.empty();
  }

  private static Optional<String> unreadable(Path file, String... options) {
    CommandLine line = new CommandLine(new RunCommand());
    line.parseArgs(
        Stream.concat(Stream.of(file.toString()), Arrays.stream(options)).toArray(String[]::new));
    RunOptions run =
        line.getMixins().values().stream()
            .filter(RunOptions.class::isInstance)
            .map(RunOptions.class::cast)
            .findFirst()
            .orElseThrow();
    try {
      Kinds.read(file, run.choices(), HOME);
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Test
  void everyCommandIsAccepted() throws IOException {
    TreeSet<String> shown = shown();
    assertThat(shown).hasSizeGreaterThan(100);
    assertThat(shown.stream().map(ShownCommandsTest::refusal).flatMap(Optional::stream)).isEmpty();
  }

  /** A wider line would be wrapped inside a command, so that it could not be copied. */
  @Test
  void examplesInTheHelpFitIntoATerminal() {
    assertThat(
            helps(Manx.commandLine())
                .flatMap(String::lines)
                .filter(line -> line.startsWith("  "))
                .toList())
        .hasSizeGreaterThan(50)
        .allMatch(line -> line.length() < 80);
  }

  /** The lists of commands in the help show the first line of each one's description. */
  @Test
  void theFirstLineOfEveryDescriptionIsASentence() {
    assertThat(described(Manx.commandLine()))
        .hasSizeGreaterThan(30)
        .allMatch(line -> line.endsWith("."));
  }

  private static List<String> described(CommandLine command) {
    List<String> first = new ArrayList<>();
    for (CommandLine each : new HashSet<>(command.getSubcommands().values())) {
      String[] lines = each.getCommandSpec().usageMessage().description();
      if (!(each.getCommand() instanceof CommandLine.HelpCommand)) {
        first.add(each.getCommandName() + ": " + (lines.length == 0 ? "" : lines[0]));
      }
      first.addAll(described(each));
    }
    return first;
  }

  /** As in a comment {@code With healthy nodes: --set ...}: all settings of a line together. */
  @Test
  void theSettingsThatAnExampleNamesAreAccepted() throws IOException {
    List<String> refused = new ArrayList<>();
    int lines = 0;
    for (Path example : files(EXAMPLES, ".yaml")) {
      for (String line : CONTINUED.matcher(comment(example)).replaceAll(" ").split("\n")) {
        String[] options =
            SETTING
                .matcher(line)
                .results()
                .map(found -> found.group(1).replace("'", "").replaceFirst("\\.$", ""))
                .flatMap(setting -> Stream.of("--set", setting))
                .toArray(String[]::new);
        if (options.length > 0 && !line.contains("./manx") && !line.contains("dotted.path")) {
          lines++;
          unreadable(example, options)
              .ifPresent(why -> refused.add(example.getFileName() + ": " + line + ": " + why));
        }
      }
    }
    assertThat(lines).isGreaterThan(10);
    assertThat(refused).isEmpty();
  }
}
