/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import dev.manx.lab.claims.Paper.Run;
import dev.manx.lab.claims.ResultStore.Stored;
import dev.manx.lab.experiment.RunException;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.GitRevision;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * The published claims of a checkout: their page, and the stored results that judge them. Confined
 * to one thread.
 */
public final class Claims {
  private static final String PAGE = "docs/research/claims.md";
  private static final String RESULTS = "docs/research/claims/results";

  private final List<Paper> papers;
  private final Path root;
  private final ResultStore store;

  /** The claims of papers, with their results in a folder. */
  Claims(List<Paper> papers, Path root) {
    this.papers = papers;
    this.root = root;
    store = new ResultStore(root.resolve(RESULTS));
  }

  public static Claims of(ManxHome home) {
    return new Claims(PaperReader.all(), home.root());
  }

  /**
   * A paper with its judged claims.
   *
   * @param stored stored results of its runs, by experiment
   * @param settings experiments with stored settings
   */
  record Tried(
      Paper paper, List<JudgedClaim> claims, Map<String, Provenance> stored, Set<String> settings) {
    Optional<Provenance> provenance(Run run) {
      return Optional.ofNullable(stored.get(run.experiment()));
    }

    /**
     * The command that produced the stored results; without stored results, the command for the
     * file.
     */
    String command(Run run) {
      return provenance(run).map(Provenance::command).orElse("./manx run " + run.file());
    }
  }

  /** Every claim, judged by the stored results. */
  List<Tried> tried() throws IOException {
    List<Tried> all = new ArrayList<>();
    for (Paper paper : papers) {
      Map<String, FigureEvaluator> figures = new LinkedHashMap<>();
      Map<String, Provenance> stored = new LinkedHashMap<>();
      Set<String> settings = new LinkedHashSet<>();
      for (Run run : paper.runs()) {
        Optional<Stored> read = store.read(run.experiment());
        if (read.isPresent()) {
          figures.put(run.experiment(), new FigureEvaluator(read.get().rows()));
          stored.put(run.experiment(), read.get().provenance());
          read.get().settings().ifPresent(text -> settings.add(run.experiment()));
        }
      }
      List<JudgedClaim> judged = new ArrayList<>();
      for (Claim claim : paper.claims()) {
        judged.add(
            JudgedClaim.of(
                claim,
                spec -> Optional.ofNullable(figures.get(spec.run())).flatMap(own -> own.of(spec)),
                spec ->
                    figures.containsKey(spec.run()) && figures.get(spec.run()).saturated(spec)));
      }
      all.add(new Tried(paper, judged, stored, settings));
    }
    return all;
  }

  /**
   * The runs whose stored rows are of another revision than those that the remarks of their paper
   * were written for, in sentences.
   */
  public List<String> oldRemarks() throws IOException {
    List<String> old = new ArrayList<>();
    for (Paper paper : papers) {
      for (Run run : paper.runs()) {
        Optional<String> stored =
            store.read(run.experiment()).map(read -> read.provenance().revision());
        if (!run.remarksOf().isEmpty() && !stored.equals(Optional.of(run.remarksOf()))) {
          old.add(
              "%s: the remarks of %s are of revision %s, the rows of %s; read them again and set"
                      .formatted(
                          run.experiment(),
                          paper.id(),
                          run.remarksOf(),
                          stored.orElse("none, as there are no rows"))
                  + " remarks-of");
        }
      }
    }
    return old;
  }

  /** The page generated from the stored rows. */
  public String page() throws IOException {
    return ClaimsPage.of(tried());
  }

  /** The file of the page. */
  public Path file() {
    return root.resolve(PAGE);
  }

  public void write() throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), page());
  }

  /** The first line in which the page differs from the generated one, if any. */
  public Optional<String> stale() throws IOException {
    List<String> wanted = page().lines().toList();
    List<String> found = Files.exists(file()) ? Files.readAllLines(file()) : List.of();
    for (int i = 0; i < Math.max(wanted.size(), found.size()); i++) {
      String want = i < wanted.size() ? wanted.get(i) : "nothing";
      String have = i < found.size() ? found.get(i) : "nothing";
      if (!want.equals(have)) {
        return Optional.of("line " + (i + 1) + " should be: " + want);
      }
    }
    return Optional.empty();
  }

  /**
   * Stores the rows of a result folder that judge claims.
   *
   * @param resolved resolved text of an experiment file as of now, if the file exists
   * @return the experiment's name
   * @throws RunException if the folder cannot be used; the message says why
   */
  public String from(Path folder, Function<Path, Optional<String>> resolved) throws IOException {
    return new ResultImport(papers, root, store).from(folder, resolved);
  }

  /**
   * The stored runs whose settings differ from those of their files, each with the differences. A
   * setting that did not exist when a run was stored has its default, which does not change the
   * behaviour. Runs that cannot be compared are those of {@link #unchecked}.
   *
   * @param resolved resolved text of an experiment file as of now, if the file exists; also called
   *     with the stored settings
   */
  public Map<String, List<String>> outdated(Function<Path, Optional<String>> resolved)
      throws IOException {
    Map<String, List<String>> outdated = new LinkedHashMap<>();
    for (StoredRun stored : storedRuns()) {
      Run run = stored.run();
      Optional<String> ran = stored.rows().settings();
      if (ran.isPresent()) {
        List<String> differing =
            SettingsDifference.differing(
                ConfigNode.parse(
                    run.experiment(), withDefaults(run.experiment(), ran.get(), resolved)),
                resolved.apply(root.resolve(run.file())),
                ResultImport.namesLoads(ResultImport.sides(papers, run.experiment())));
        if (!differing.isEmpty()) {
          outdated.put(run.experiment(), differing);
        }
      }
    }
    return outdated;
  }

  /**
   * The stored runs without stored settings, which cannot be compared with those of their files.
   */
  public List<String> unchecked() throws IOException {
    return storedRuns().stream()
        .filter(stored -> stored.rows().settings().isEmpty())
        .map(stored -> stored.run().experiment())
        .toList();
  }

  /**
   * How much of the code that the stored runs played has changed since, one sentence per run.
   *
   * @param modules the modules that a kind of experiment plays, by its name
   */
  public List<String> changedCode(Function<String, List<String>> modules) throws IOException {
    List<String> changed = new ArrayList<>();
    for (StoredRun stored : storedRuns()) {
      String revision = stored.rows().provenance().revision();
      List<String> played = modules.apply(kind(stored));
      OptionalInt commits =
          GitRevision.commitsSince(
              root, revision, played.stream().map(module -> module + "/src/main").toList());
      changed.add(
          "%s: commits since %s that changed %s: %s"
              .formatted(
                  stored.run().experiment(),
                  revision.isEmpty() ? "an unknown revision" : revision,
                  played.isEmpty() ? "an unknown kind" : String.join(", ", played),
                  commits.isPresent() ? commits.getAsInt() : "unknown"));
    }
    return changed;
  }

  /** The kind of a stored run; of its file, if its settings were not stored; or empty. */
  private String kind(StoredRun stored) throws IOException {
    Path file = root.resolve(stored.run().file());
    Optional<String> settings = stored.rows().settings();
    if (settings.isEmpty() && !Files.exists(file)) {
      return "";
    }
    String text = settings.isPresent() ? settings.get() : Files.readString(file);
    return ConfigNode.parse(stored.run().experiment(), text).at("on").text();
  }

  private record StoredRun(Run run, Stored rows) {}

  private List<StoredRun> storedRuns() throws IOException {
    List<StoredRun> all = new ArrayList<>();
    for (Paper paper : papers) {
      for (Run run : paper.runs()) {
        store.read(run.experiment()).ifPresent(rows -> all.add(new StoredRun(run, rows)));
      }
    }
    return all;
  }

  private String withDefaults(
      String experiment, String stored, Function<Path, Optional<String>> resolved) {
    try {
      return resolved.apply(store.settings(experiment)).orElse(stored);
    } catch (ConfigException e) {
      // The result has settings that no longer exist; differences are listed one by one.
      return stored;
    }
  }

  /**
   * The experiment files of a paper or run, by name of the run.
   *
   * @param name name of a paper or run, or {@code all}
   * @throws RunException if the name is unknown
   */
  public Map<String, Path> files(String name) {
    Map<String, Path> files = new LinkedHashMap<>();
    List<String> names = new ArrayList<>();
    for (Paper paper : papers) {
      names.add(paper.id());
      for (Run run : paper.runs()) {
        names.add(run.experiment());
        if (List.of(paper.id(), run.experiment(), "all").contains(name)) {
          files.put(run.experiment(), root.resolve(run.file()));
        }
      }
    }
    if (files.isEmpty()) {
      throw new RunException(
          "unknown paper or run '" + name + "'; valid names: all, " + String.join(", ", names));
    }
    return files;
  }

  /** The number of claims by verdict, one line per paper. */
  public String overview() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Tried tried : tried()) {
      Map<ClaimVerdict, List<String>> ids = new LinkedHashMap<>();
      for (ClaimVerdict verdict : ClaimVerdict.values()) {
        ids.put(verdict, new ArrayList<>());
      }
      tried.claims().forEach(j -> ids.get(j.verdict()).add(j.claim().id()));
      lines.append(tried.paper().id()).append('\n');
      ids.forEach(
          (verdict, list) -> {
            if (!list.isEmpty()) {
              lines.append("  ").append(verdict.words()).append(": ");
              lines.append(String.join(" ", list)).append('\n');
            }
          });
    }
    return lines.toString();
  }
}
