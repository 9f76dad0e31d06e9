/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Properties;

/** The page's files on the class path. */
final class Assets {
  private static final String ECHARTS_VERSION = "META-INF/maven/org.mvnpm/echarts/pom.properties";
  private static final String ECHARTS = "META-INF/resources/_static/echarts/";

  private Assets() {}

  /** A resource next to this class. */
  static String text(String name) {
    return read("dev/manx/lab/report/" + name);
  }

  /** Apache ECharts, in the version chosen by the build. */
  static String echarts() {
    Properties properties = new Properties();
    try (InputStream in = open(ECHARTS_VERSION)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read(ECHARTS + properties.getProperty("version") + "/dist/echarts.min.js");
  }

  /** The source of a permitted script in a content security policy. */
  static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String read(String name) {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String name) {
    InputStream in = Assets.class.getClassLoader().getResourceAsStream(name);
    if (in == null) {
      throw new IllegalStateException(name + " is not on the class path; build the lab again");
    }
    return in;
  }
}
