/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of a build of the engine that change how its threads wait and what an operation
 * costs, as cmake has written them next to the library.
 *
 * @param type {@code CMAKE_BUILD_TYPE}
 * @param diagnostic whether it has diagnostics, which yield the core in places where others do not
 * @param tcmalloc whether it uses this allocator
 */
public record BuildOptions(String type, boolean diagnostic, boolean tcmalloc) {
  /** Those of {@link EngineBuild}. */
  static final BuildOptions OURS = new BuildOptions("Release", false, false);

  private static final String CACHE = "CMakeCache.txt";

  /** The options of a build; empty if it has no file of cmake's next to its library. */
  public static Optional<BuildOptions> of(EngineLibrary engine) {
    Path cache = engine.library().resolve(CACHE);
    if (!Files.isRegularFile(cache)) {
      return Optional.empty();
    }
    try {
      String text = Files.readString(cache);
      String type = value(text, "CMAKE_BUILD_TYPE");
      return Optional.of(
          new BuildOptions(
              type.isEmpty() ? "None" : type,
              isOn(value(text, "HAVE_DIAGNOSTIC")),
              isOn(value(text, "ENABLE_TCMALLOC"))));
    } catch (IOException e) {
      throw new EngineException("cannot read " + cache + ": " + e.getMessage(), e);
    }
  }

  /** Lines are {@code NAME:TYPE=VALUE}; empty without one. */
  private static String value(String text, String name) {
    Matcher line = Pattern.compile("(?m)^" + name + ":[A-Z]+=(.*)$").matcher(text);
    return line.find() ? line.group(1).trim() : "";
  }

  private static boolean isOn(String value) {
    return List.of("1", "ON", "YES", "TRUE", "Y").contains(value.toUpperCase(Locale.ROOT));
  }

  /** {@code CMAKE_BUILD_TYPE=Release, HAVE_DIAGNOSTIC=0, ENABLE_TCMALLOC=0}. */
  public String words() {
    return String.join(", ", options());
  }

  private List<String> options() {
    return List.of(
        "CMAKE_BUILD_TYPE=" + type,
        "HAVE_DIAGNOSTIC=" + (diagnostic ? 1 : 0),
        "ENABLE_TCMALLOC=" + (tcmalloc ? 1 : 0));
  }

  /** Those of its options that {@link EngineBuild} has otherwise, in words; empty if equal. */
  public String differences() {
    List<String> other = new ArrayList<>(options());
    other.removeAll(OURS.options());
    return String.join(", ", other);
  }
}
