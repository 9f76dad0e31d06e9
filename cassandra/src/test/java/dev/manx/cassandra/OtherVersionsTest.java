/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The entry class, linked against other Cassandra versions from Maven Central. */
class OtherVersionsTest {
  private static final Path MODULE = Path.of(System.getProperty("manx.home"), "cassandra");

  @TempDir Path folder;

  /** Loads only the JDK's classes from outside. */
  private static URLClassLoader node(String version) throws Exception {
    Path jar = MODULE.resolve("target/other-versions/cassandra-all-" + version + ".jar");
    assertThat(jar).exists();
    List<URL> urls = new ArrayList<>();
    urls.add(MODULE.resolve("target/classes").toUri().toURL());
    urls.add(jar.toUri().toURL());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      // A module that is not packaged yet is a folder.
      if (!entry.contains("cassandra-all") && !entry.endsWith("test-classes")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  @ParameterizedTest
  @Timeout(120)
  @CsvSource({"4.0.17, long", "4.1.5, long", "4.1.10, RequestTime", "6.0-alpha2, RequestTime"})
  void stepsAsideAndPassesEveryStatementOn(String version, String lastParameter) throws Exception {
    try (URLClassLoader node = node(version)) {
      Class<?> entry = node.loadClass("dev.manx.cassandra.ManxQueryHandler");
      Class<?> interfaceOf = node.loadClass("org.apache.cassandra.cql3.QueryHandler");
      assertThat(interfaceOf.getProtectionDomain().getCodeSource().getLocation().getPath())
          .contains(version);
      Object handler = entry.getDeclaredConstructor().newInstance();
      assertThat(Thread.getAllStackTraces().keySet())
          .as("nothing else was started")
          .noneMatch(thread -> thread.getName().equals("manx-boot"));
      Class<?> recording = recordingHandler(node, interfaceOf);
      Field next = entry.getDeclaredField("next");
      next.setAccessible(true);
      next.set(null, recording.getDeclaredConstructor().newInstance());
      List<String> wanted = new ArrayList<>();
      for (Method method : interfaceOf.getMethods()) {
        if (Modifier.isAbstract(method.getModifiers())) {
          wanted.add(method.getName());
          Class<?>[] types = method.getParameterTypes();
          if (method.getName().equals("process")) {
            assertThat(types[types.length - 1].getSimpleName()).isEqualTo(lastParameter);
          }
          // By the interface's own descriptor, as Cassandra calls it.
          method.invoke(handler, Arrays.stream(types).map(OtherVersionsTest::some).toArray());
        }
      }
      assertThat((List<?>) recording.getField("CALLS").get(null)).isEqualTo(wanted);
      assertThat(wanted).contains("process", "processPrepared", "processBatch", "prepare", "parse");
    }
  }

  /**
   * A handler that records which of its methods was called, compiled against a version's interface.
   */
  private Class<?> recordingHandler(URLClassLoader node, Class<?> interfaceOf) throws Exception {
    StringBuilder source =
        new StringBuilder("public class Recording implements ")
            .append(interfaceOf.getName())
            .append(" { public static java.util.List<String> CALLS = new java.util.ArrayList<>();");
    for (Method method : interfaceOf.getMethods()) {
      List<String> parameters = new ArrayList<>();
      for (Class<?> type : method.getParameterTypes()) {
        parameters.add(type.getCanonicalName() + " a" + parameters.size());
      }
      source.append(
          "public %s %s(%s) { CALLS.add(\"%s\"); return null; }"
              .formatted(
                  method.getReturnType().getCanonicalName(),
                  method.getName(),
                  String.join(", ", parameters),
                  method.getName()));
    }
    Path file = Files.writeString(folder.resolve("Recording.java"), source.append("}"));
    String classpath =
        Arrays.stream(node.getURLs()).map(URL::getPath).collect(Collectors.joining(":"));
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                OutputStream.nullOutputStream(),
                OutputStream.nullOutputStream(),
                "-proc:none",
                "-cp",
                classpath,
                "-d",
                folder.toString(),
                file.toString());
    assertThat(code).as(source.toString()).isZero();
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, node).loadClass("Recording");
  }

  private static Object some(Class<?> type) {
    return type == long.class ? (Object) 7L : null;
  }

  @ParameterizedTest
  @Timeout(120)
  @CsvSource("5.0.0")
  void linksOnTheFirstReleaseOfItsOwnVersion(String version) throws Exception {
    try (URLClassLoader node = node(version);
        Stream<Path> classes = Files.walk(MODULE.resolve("target/classes"))) {
      List<String> names =
          classes
              .map(file -> MODULE.resolve("target/classes").relativize(file).toString())
              .filter(name -> name.endsWith(".class"))
              .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
              .toList();
      assertThat(names).hasSizeGreaterThan(50);
      for (String name : names) {
        // Resolves superclasses and the types of all fields and methods.
        Class<?> linked = Class.forName(name, false, node);
        assertThat(linked.getDeclaredMethods()).as(name).isNotNull();
        assertThat(linked.getDeclaredFields()).as(name).isNotNull();
        if (!Modifier.isAbstract(linked.getModifiers())) {
          assertThat(linked.getMethods())
              .as("%s has all methods", name)
              .noneMatch(method -> Modifier.isAbstract(method.getModifiers()));
        }
      }
      assertThat(notPassedOn(node)).isNull();
    }
  }

  /**
   * In these versions a statement has a new method with a default implementation in {@code
   * CQLStatement}.
   */
  @ParameterizedTest
  @Timeout(120)
  @CsvSource("6.0-alpha2")
  void aStatementsNewMethodsAreSeen(String version) throws Exception {
    try (URLClassLoader node = node(version)) {
      assertThat(notPassedOn(node)).contains("AuthorizedSelect does not pass on");
    }
  }

  /** The methods that Manx finds missing in the statement that it sends in a client's place. */
  private static String notPassedOn(URLClassLoader node) throws Exception {
    Class<?> ours = node.loadClass("dev.manx.cassandra.coordinate.AuthorizedSelect");
    Class<?> type = node.loadClass("org.apache.cassandra.cql3.CQLStatement");
    Method check =
        node.loadClass("dev.manx.cassandra.boot.HookShape")
            .getDeclaredMethod("passesOn", Class.class, Class.class);
    check.setAccessible(true);
    try {
      check.invoke(null, ours, type);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause().getMessage();
    }
  }
}
