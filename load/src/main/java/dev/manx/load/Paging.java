/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/** Paging of measured reads. */
public enum Paging {
  /** No page size is sent: Cassandra reads the keys of an {@code IN} list at the same time. */
  OFF("manx-unpaged"),
  /** The driver's default page size of 5000: Cassandra reads an {@code IN} list key by key. */
  DRIVER_DEFAULT("manx-paged");

  private final String profile;

  Paging(String profile) {
    this.profile = profile;
  }

  /** The driver's execution profile. */
  public String profile() {
    return profile;
  }
}
