/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

/** The verdict on a published claim. */
public enum Verdict {
  /** Our figures are what was published, within the claim's bounds. */
  REPRODUCED("reproduced"),
  /** Not in the published setting, but in another one that is named. */
  REGIME("regime found"),
  /** Not what was published, and a bound says that no policy of its kind could. */
  BEYOND("out of reach"),
  /** Our figures are not what was published. */
  REFUTED("refuted"),
  /** There are no figures to judge by. */
  UNTRIED("not yet tried");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  /** As the page says it. */
  public String words() {
    return words;
  }

  /** The key of a remark for this verdict. */
  String key() {
    return switch (this) {
      case REPRODUCED -> "reproduced";
      case REGIME -> "regime";
      case BEYOND -> "beyond";
      case REFUTED -> "refuted";
      case UNTRIED -> "untried";
    };
  }
}
