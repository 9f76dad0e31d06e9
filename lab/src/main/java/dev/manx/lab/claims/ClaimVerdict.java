/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.Locale;

/** The verdict on a published claim. */
public enum ClaimVerdict {
  /** Our figures agree with the published ones, within the claim's bounds. */
  REPRODUCED("reproduced"),
  /** The claim holds not in the published setting, but in another, named one. */
  REGIME("regime found"),
  /** Our figures disagree, and so do those of the best ideal tried, which is not a proven limit. */
  BEYOND("not even the ideal"),
  /** Our figures disagree with the published ones. */
  REFUTED("refuted"),
  /** No rule clearly fails, but an interval contains its bound. */
  UNDECIDED("not decided"),
  /** An arm of a figure was saturated or failed, so there is nothing to compare. */
  SATURATED("saturated or failing"),
  /** Figures are missing. */
  UNTRIED("not yet tried");

  private final String words;

  ClaimVerdict(String words) {
    this.words = words;
  }

  /** As printed on the page. */
  public String words() {
    return words;
  }

  /** The key of the remark for this verdict. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
