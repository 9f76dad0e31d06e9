/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.look;

/** The version of these commands. */
public final class OwnVersion {
  private OwnVersion() {}

  /** The version from the jar's manifest; {@code unpackaged} if the classes are not in a jar. */
  public static String text() {
    String version = OwnVersion.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
