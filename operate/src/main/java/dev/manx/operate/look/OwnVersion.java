/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.look;

/** Which version these commands are of. */
public final class OwnVersion {
  private OwnVersion() {}

  /** As in the jar's manifest; {@code unpackaged} for classes that came from no jar. */
  public static String text() {
    String version = OwnVersion.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }
}
