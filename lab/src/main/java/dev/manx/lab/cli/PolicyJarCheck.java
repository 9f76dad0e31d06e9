/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.spi.PolicyProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Checks the jars in {@code MANX_POLICIES} before a command: Java ignores a file on the class path
 * that it cannot read, and its errors do not name the jar.
 */
final class PolicyJarCheck {
  private static final String SERVICE = "META-INF/services/" + PolicyProvider.class.getName();

  private PolicyJarCheck() {}

  /**
   * Refuses files that are not jars, services without their class, and a list of jars without any
   * policy. A jar without policies may be a library that another one needs.
   *
   * @throws ConfigException naming the jar
   */
  static void check(List<Path> jars) {
    boolean found = false;
    for (Path jar : jars) {
      try (ZipFile zip = new ZipFile(jar.toFile())) {
        found |= hasProviders(jar, zip);
      } catch (IOException e) {
        throw refused(jar, "it cannot be read as a jar: " + e.getMessage());
      }
    }
    if (!found && !jars.isEmpty()) {
      throw refused(jars.get(0), "it does not add a policy, because it lacks the file " + SERVICE);
    }
  }

  private static boolean hasProviders(Path jar, ZipFile zip) throws IOException {
    ZipEntry service = zip.getEntry(SERVICE);
    if (service == null) {
      return false;
    }
    String text = new String(zip.getInputStream(service).readAllBytes(), StandardCharsets.UTF_8);
    List<String> types =
        text.lines()
            .map(line -> line.replaceFirst("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .toList();
    for (String type : types) {
      String file = type.replace('.', '/') + ".class";
      if (zip.getEntry(file) == null
          && PolicyJarCheck.class.getClassLoader().getResource(file) == null) {
        throw refused(jar, "its file " + SERVICE + " names " + type + ", which it does not have");
      }
    }
    return !types.isEmpty();
  }

  private static ConfigException refused(Path jar, String why) {
    return ConfigException.because("MANX_POLICIES", 0, "jar", jar.toString(), why);
  }
}
