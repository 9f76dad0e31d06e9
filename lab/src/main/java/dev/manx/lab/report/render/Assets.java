/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report.render;

import dev.manx.lab.experiment.Resources;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Properties;

/** The page's files on the class path. */
final class Assets {
  private static final String ECHARTS_VERSION = "/META-INF/maven/org.mvnpm/echarts/pom.properties";
  private static final String ECHARTS = "/META-INF/resources/_static/echarts/";

  private Assets() {}

  /** A resource of the report. */
  static String text(String name) {
    return Resources.text(Assets.class, "/dev/manx/lab/report/" + name);
  }

  /** Apache ECharts, in the version chosen by the build. */
  static String echarts() {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Resources.text(Assets.class, ECHARTS_VERSION)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String folder = ECHARTS + properties.getProperty("version");
    return Resources.text(Assets.class, folder + "/dist/echarts.min.js");
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
}
