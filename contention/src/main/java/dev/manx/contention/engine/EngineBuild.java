/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import dev.manx.contention.proc.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Downloads the published WiredTiger and builds it once, as shipped and patched. It is under the
 * GPL: it is built here for the user's own use, and Manx ships no part of it.
 */
public final class EngineBuild {
  /** The version. */
  public static final String VERSION = "11.3.1";

  private static final String ARCHIVE = "wiredtiger-" + VERSION + ".tar.gz";
  private static final String SHA256 =
      "95052d1b6fc06921dd617aafa1ba2a773d8dbbbf2eb74f77147290a630e598d0";
  private static final String LIBRARY = EngineLibrary.LIBRARY;
  private static final String SOURCE = "wiredtiger-" + VERSION + "-source";
  private static final Pattern NINJA = Pattern.compile("\\[(\\d+)/(\\d+)\\] .*");

  // Only the parts that the harness uses, so that gcc, cmake and ninja are sufficient.
  private static final List<String> CMAKE =
      List.of(
          "cmake",
          "-G",
          "Ninja",
          "-S",
          ".",
          "-B",
          "build",
          "-DCMAKE_BUILD_TYPE=Release",
          "-DENABLE_SHARED=1",
          "-DENABLE_STATIC=0",
          "-DENABLE_PYTHON=0",
          "-DENABLE_STRICT=0",
          "-DHAVE_UNITTEST=0",
          "-DENABLE_LZ4=0",
          "-DENABLE_SNAPPY=0",
          "-DENABLE_ZLIB=0",
          "-DENABLE_ZSTD=0",
          "-DENABLE_TCMALLOC=0");
  private static final List<String> NINJA_LIBRARY = List.of("ninja", "-C", "build", LIBRARY);

  private final EngineStore store;
  private final StepListener listener;

  /** Creates a builder that keeps its results in a store and reports progress. */
  public EngineBuild(EngineStore store, StepListener listener) {
    this.store = store;
    this.listener = listener;
  }

  /**
   * Checks the programs that the missing builds need, so that the lack of one is not noticed after
   * minutes.
   *
   * @param stock whether {@link #stock()} will be called
   * @param patched whether {@link #patched()} will be
   * @throws EngineException if some are missing; names all of them
   */
  public void requireTools(boolean stock, boolean patched) throws InterruptedException {
    boolean builds =
        (stock && !store.has(stored(stockName())))
            || (patched && !store.has(stored(patchedName())));
    if (builds) {
      List<Tool.Need> needs = new ArrayList<>();
      if (!store.has(SOURCE)) {
        boolean pip = Tool.succeeds("python3", "-m", "pip", "--version");
        needs.add(new Tool.Need(pip, "python3 python3-pip python3-venv"));
      }
      needs.add(Tool.Need.program("gcc", "gcc"));
      needs.add(Tool.Need.program("g++", "g++"));
      needs.add(Tool.Need.program("cmake", "cmake"));
      needs.add(Tool.Need.program("ninja", "ninja-build"));
      needs.add(Tool.Need.program("tar", "tar"));
      Tool.require(needs);
    }
  }

  /**
   * WiredTiger as shipped.
   *
   * @throws EngineException if it cannot be fetched or built
   */
  public EngineLibrary stock() throws InterruptedException {
    requireTools(true, false);
    return build(stockName(), false);
  }

  /**
   * WiredTiger with a patch: the environment variable {@code MANX_WAIT} selects how it waits for
   * transaction ids, and waits are counted.
   *
   * @throws EngineException if it cannot be fetched or built, or is not the source expected
   */
  public EngineLibrary patched() throws InterruptedException {
    requireTools(false, true);
    return build(patchedName(), true);
  }

  private static String stockName() {
    return name("stock", "");
  }

  private static String patchedName() {
    return name("patched", WaitPatch.text());
  }

  private static String stored(String variant) {
    return "wiredtiger-" + VERSION + "-" + variant;
  }

  /** A name that changes with the options of the build and with the patch. */
  static String name(String variant, String patch) {
    return variant + "-" + DriverSources.version(CMAKE + patch);
  }

  /** Debian's build, if package libwiredtiger-dev is installed. */
  public static Optional<EngineLibrary> debian() {
    Path header = Path.of("/usr/include/wiredtiger.h");
    List<Path> folders =
        List.of(
            Path.of("/usr/lib/x86_64-linux-gnu"),
            Path.of("/usr/lib/aarch64-linux-gnu"),
            Path.of("/usr/lib64"),
            Path.of("/usr/lib"));
    return folders.stream()
        .filter(folder -> Files.isRegularFile(header) && Files.exists(folder.resolve(LIBRARY)))
        .findFirst()
        .map(folder -> new EngineLibrary(header.getParent(), folder));
  }

  /**
   * Checks a build that is not made here.
   *
   * @return a version for {@link DriverBuild}, which changes with its header and its folder
   * @throws EngineException if a file is missing
   */
  public static String check(EngineLibrary own) {
    Path header = own.header();
    for (Path file : List.of(own.file(), header)) {
      if (!Files.isRegularFile(file)) {
        throw new EngineException(
            "there is no "
                + file
                + "; both are below the folder `build` after: "
                + String.join(" && ", buildLines()));
      }
    }
    try {
      return "other-" + DriverSources.version(Files.readString(header) + own.library());
    } catch (IOException e) {
      throw new EngineException("cannot read " + header + ": " + e.getMessage(), e);
    }
  }

  /**
   * The commands of the builds made here, in the engine's folder: another build is comparable with
   * them only with the same options.
   */
  public static List<String> buildLines() {
    return List.of(String.join(" ", CMAKE), String.join(" ", NINJA_LIBRARY));
  }

  private EngineLibrary build(String variant, boolean patched) throws InterruptedException {
    String name = stored(variant);
    if (!store.has(name)) {
      Path archive = archive();
      store.get(name, part -> make(archive, part, variant, patched));
    }
    Path folder = store.root().resolve(name);
    return new EngineLibrary(folder.resolve("include"), folder.resolve("lib"));
  }

  private Path archive() throws InterruptedException {
    Path folder = store.get(SOURCE, this::fetch);
    Path archive = folder.resolve(ARCHIVE);
    verify(archive);
    return archive;
  }

  /**
   * Uses pip, which knows the user's index, proxy and certificates; the checksum is verified before
   * unpacking.
   */
  private void fetch(Path folder) throws IOException, InterruptedException {
    listener.step("fetching WiredTiger " + VERSION + ", source distribution on PyPI (10 MB)");
    Path wanted = folder.resolve("requirements.txt");
    Files.writeString(wanted, "wiredtiger==" + VERSION + " --hash=sha256:" + SHA256 + "\n");
    Path log = store.root().resolve("fetch.log");
    Files.deleteIfExists(log);
    try {
      new Tool(log)
          .run(
              folder,
              List.of(
                  "python3",
                  "-m",
                  "pip",
                  "--disable-pip-version-check",
                  "download",
                  "--no-deps",
                  "--no-binary",
                  "wiredtiger",
                  "--require-hashes",
                  "--requirement",
                  wanted.getFileName().toString(),
                  "--dest",
                  "."),
              line -> listener.now("fetching: " + line.strip()));
    } catch (EngineException e) {
      throw new EngineException(
          e.getMessage()
              + "\nWiredTiger could not be fetched. It needs pip (on Debian: sudo apt-get install"
              + " python3-pip python3-venv) and PyPI or a mirror. Without a network, put "
              + ARCHIVE
              + " into "
              + store.root().resolve(SOURCE),
          e);
    }
    Files.delete(wanted);
    verify(folder.resolve(ARCHIVE));
  }

  static void verify(Path archive) {
    try {
      String sum = DriverSources.sha256(Files.readAllBytes(archive));
      if (!sum.equals(SHA256)) {
        throw new EngineException(
            archive
                + " has SHA-256 "
                + sum
                + " but must have "
                + SHA256
                + "; delete its folder and run again");
      }
    } catch (IOException e) {
      throw new EngineException(
          "cannot read " + archive + "; delete its folder and run again: " + e.getMessage(), e);
    }
  }

  private void make(Path archive, Path folder, String variant, boolean patched)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Path log = store.root().resolve("build-" + variant + ".log");
    Files.deleteIfExists(log);
    listener.step(
        "building WiredTiger " + VERSION + ", " + variant + " (once; some minutes); log: " + log);
    Path work = Files.createDirectory(folder.resolve("work"));
    Tool tool = new Tool(log);
    tool.run(work, List.of("tar", "-xzf", archive.toString()), line -> {});
    Path source = work.resolve("wiredtiger-" + VERSION);
    if (patched) {
      WaitPatch.apply(source);
    }
    tool.run(source, CMAKE, line -> listener.now(variant + ": " + line));
    tool.run(source, NINJA_LIBRARY, line -> progress(variant, line));
    keep(source.resolve("build"), folder);
    Files.copy(source.resolve("LICENSE"), folder.resolve("LICENSE"));
    Scratch.delete(work);
    listener.step(
        String.format(
            java.util.Locale.ROOT,
            "built WiredTiger %s, %s, in %.0f s",
            VERSION,
            variant,
            (System.nanoTime() - start) / 1e9));
  }

  private void progress(String variant, String line) {
    Matcher matcher = NINJA.matcher(line);
    if (matcher.matches()) {
      listener.now("building " + variant + ": " + matcher.group(1) + " of " + matcher.group(2));
    }
  }

  /** Copies the library under the names that the linker and the loader expect. */
  private static void keep(Path build, Path folder) throws IOException {
    Path lib = Files.createDirectory(folder.resolve("lib"));
    Path include = Files.createDirectory(folder.resolve("include"));
    String versioned = LIBRARY + "." + VERSION;
    Files.copy(build.resolve(versioned), lib.resolve(versioned));
    Files.createSymbolicLink(lib.resolve(LIBRARY), Path.of(versioned));
    Files.copy(
        build.resolve("include/wiredtiger.h"),
        include.resolve("wiredtiger.h"),
        StandardCopyOption.COPY_ATTRIBUTES);
  }
}
