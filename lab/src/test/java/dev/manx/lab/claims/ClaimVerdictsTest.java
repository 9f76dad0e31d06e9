/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.lab.claims.JudgedClaim.Doubt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures of a claim, and its verdict. */
class ClaimVerdictsTest extends InventedClaims {
  private JudgedClaim judge(Path folder, String claim) throws IOException {
    Claims claims = claims(claim);
    claims.from(folder, CANNOT_TELL);
    return claims.tried().get(0).claims().get(0);
  }

  @Test
  void figuresArePairedInsideRounds() throws Exception {
    // The levels differ fivefold between seeds, the ratios hardly.
    JudgedClaim judged = judge(results("r", 0.5, 0.52, 0.48, 0.51, 0.49, 0.5), HALF);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.REPRODUCED);
    assertThat(judged.doubt()).isEqualTo(Doubt.NONE);
    assertThat(judged.figures().get("P99").value().value()).isCloseTo(0.5, within(1e-9));
    assertThat(judged.figures().get("P99").value().rounds()).isEqualTo(6);
    assertThat(judged.figures().get("P99").value().lo()).isBetween(0.47, 0.5);
  }

  @Test
  void everyForm() throws Exception {
    Path folder = results("r", 0.5, 0.5, 0.5);
    Map<String, Double> wanted =
        Map.of(
            "ratio", 0.5, "gain", 2.0, "reduction", 50.0, "increase", -50.0, "difference", -10.0);
    for (Map.Entry<String, Double> form : wanted.entrySet()) {
      JudgedClaim judged =
          judge(folder, "figures: { f: { of: P99, arm: a, over: b, as: " + form.getKey() + " } }");
      // The median seed has 20 ms.
      assertThat(judged.figures().get("f").value().value())
          .as(form.getKey())
          .isCloseTo(form.getValue(), within(1e-9));
      assertThat(judged.verdict())
          .as("nothing is judged without a rule")
          .isEqualTo(ClaimVerdict.UNTRIED);
    }
    JudgedClaim value = judge(folder, "figures: { f: { of: reads_per_s, arm: a } }");
    assertThat(value.figures().get("f").value().value()).isEqualTo(102);
    JudgedClaim pooled =
        judge(folder, "figures: { f: { of: P99, arm: a, over: b, params: { zipf: 1.5 } } }");
    assertThat(pooled.figures().get("f").value().value()).isEqualTo(0.5);
    assertThat(pooled.figures().get("f").value().rounds()).isEqualTo(1);
  }

  @Test
  void theLargestOfSeveralCasesIsNamed() throws Exception {
    String figure =
        "figures: { f: { of: [P50, P99], arm: [a, b], over: b, take: max } },"
            + " reproduced: { f: at most 1 }";
    JudgedClaim judged = judge(results("r", 1.2, 1.3, 1.4), figure);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.REFUTED);
    assertThat(judged.figures().get("f").value().value()).isCloseTo(1.3, within(1e-9));
    assertThat(judged.figures().get("f").of()).isEqualTo("a, P99");
  }

  /** A bare "8" could be anything. */
  @Test
  void severalParametersOfACaseAreNamed() throws Exception {
    String figure =
        "figures: { f: { of: P99, arm: a, over: b, take: max,"
            + " params: [{ cores: 2, delay: 5ms }, { cores: 8, delay: 5ms }] } }";
    JudgedClaim judged = judge(results("r", 0.5), figure);
    assertThat(judged.figures().get("f").value().value()).isEqualTo(0.8);
    assertThat(judged.figures().get("f").of()).isEqualTo("cores=8, delay=5ms");
    String one =
        "figures: { f: { of: P99, arm: a, over: b, take: max, params: [{}, { zipf: 1.5 }] } }";
    assertThat(judge(results("s", 0.2), one).figures().get("f").of()).isEqualTo("1.5");
    assertThat(judge(results("t", 0.9), one).figures().get("f").of()).isEmpty();
  }

  /** An arm that is good at one percentile alone is not good at both. */
  @Test
  void theLargestOfTheLeastLooksAtEachArmAsAWhole() throws Exception {
    Path folder = results("r", 0.5, 0.5, 0.5);
    JudgedClaim judged =
        judge(
            folder,
            "figures: { f: { of: [P50, P99], arm: [a, b], over: b, as: reduction,"
                + " take: max-of-least } }");
    assertThat(judged.figures().get("f").value().value()).isCloseTo(0, within(1e-9));
    assertThat(judge(folder, HALF).verdict()).isEqualTo(ClaimVerdict.REPRODUCED);
  }

  @Test
  void aCaseThatIsMissingLeavesNoFigure() throws Exception {
    JudgedClaim judged =
        judge(
            results("r", 0.5, 0.5),
            "figures: { f: { of: P99, arm: [a, c], over: b, take: min } },"
                + " reproduced: { f: at most 1 }");
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.UNTRIED);
    assertThat(judged.figures()).isEmpty();
  }

  @Test
  void anIntervalThatHoldsTheBoundDecidesNothing() throws Exception {
    JudgedClaim judged = judge(results("r", 0.3, 0.9, 0.55, 0.7, 0.4, 0.45), HALF);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.UNDECIDED);
    assertThat(judged.doubt()).as("it has rounds enough").isEqualTo(Doubt.NONE);
    JudgedClaim single = judge(results("one", 0.9), HALF);
    assertThat(single.verdict()).isEqualTo(ClaimVerdict.REFUTED);
    assertThat(single.doubt()).as("one round proves little").isEqualTo(Doubt.FEW_ROUNDS);
    JudgedClaim three = judge(results("three", 0.5, 0.55, 0.7), HALF);
    assertThat(three.verdict()).isEqualTo(ClaimVerdict.UNDECIDED);
    assertThat(three.doubt()).isEqualTo(Doubt.FEW_ROUNDS);
  }

  /** The sign of noise would be a verdict otherwise. */
  @Test
  void noiseAroundASmallBoundIsNotDecided() throws Exception {
    Claims claims =
        claims(
            "figures: { cost: { of: P99, arm: a, over: b, as: increase } },"
                + " reproduced: { cost: at most 1.38 }, remarks: { undecided: too noisy }");
    claims.from(results("r", 0.8, 1.39, 1.02, 1.0188, 0.8, 1.39, 0.9, 1.2), CANNOT_TELL);
    JudgedClaim judged = claims.tried().get(0).claims().get(0);
    assertThat(judged.figures().get("cost").value().value()).isBetween(1.38, 2.0);
    assertThat(judged.figures().get("cost").value().lo()).isCloseTo(-20, within(1e-6));
    assertThat(judged.figures().get("cost").value().hi()).isCloseTo(39, within(1e-6));
    assertThat(judged.words()).isEqualTo("not decided");
    assertThat(judged.remark()).isEqualTo("too noisy");
    assertThat(claims.overview()).contains("not decided: X-1");
    assertThat(claims.page())
        .contains("| refuted | not decided | saturated or failing | not yet tried |")
        .contains("| X | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 0 |")
        .contains("at most 1.38 | not decided |");
  }

  /** One rule that fails as a whole suffices, however noisy the others are. */
  @Test
  void aClearFailureRefutesWhateverElseIsOpen() throws Exception {
    String claim =
        "figures: { f: { of: P99, arm: a, over: b }, g: { of: P50, arm: a, over: b } },"
            + " reproduced: { f: at most 0.6, g: at most 0.5 }";
    JudgedClaim judged = judge(results("r", 0.3, 0.9, 0.55, 0.7, 0.4, 0.45), claim);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.REFUTED);
    assertThat(judged.doubt()).isEqualTo(Doubt.NONE);
    String elsewhere = claim.replace("f: at most 0.6, ", "") + ", regime: { f: at most 0.6 }";
    JudgedClaim close = judge(results("r", 0.3, 0.9, 0.55, 0.7, 0.4, 0.45), elsewhere);
    assertThat(close.verdict()).isEqualTo(ClaimVerdict.REGIME);
    assertThat(close.doubt()).isEqualTo(Doubt.CLOSE);
  }

  /** The lowest and the highest of three rounds have the true median between them in 75 %. */
  @Test
  void tooFewRoundsAreNamed() throws Exception {
    JudgedClaim three = judge(results("three", 0.3, 0.31, 0.32), HALF);
    assertThat(three.verdict()).isEqualTo(ClaimVerdict.REPRODUCED);
    assertThat(three.doubt()).isEqualTo(Doubt.FEW_ROUNDS);
    FigureSpec spec = three.claim().figures().get("P99");
    assertThat(ClaimsPage.print(three.figures().get("P99"), spec))
        .isEqualTo("**0.31x** (range 0.3–0.32)");
    JudgedClaim five = judge(results("five", 0.9, 0.9, 0.91, 0.9, 0.9), HALF);
    assertThat(five.verdict()).isEqualTo(ClaimVerdict.REFUTED);
    assertThat(five.doubt()).isEqualTo(Doubt.FEW_ROUNDS);
    JudgedClaim six = judge(results("six", 0.3, 0.31, 0.32, 0.3, 0.31, 0.32), HALF);
    assertThat(six.doubt()).isEqualTo(Doubt.NONE);
    assertThat(ClaimsPage.print(six.figures().get("P99"), spec)).doesNotContain("range");
  }

  @Test
  void aBoundFollowsFromThePublishedNumber() throws Exception {
    String claim =
        "figures: { f: { of: P99, arm: a, over: b, as: reduction } },"
            + " reproduced: { f: at least four fifths of 60 }";
    assertThat(judge(results("r", 0.5, 0.51, 0.5), claim).verdict())
        .isEqualTo(ClaimVerdict.REPRODUCED);
    assertThat(judge(results("s", 0.53, 0.54, 0.53), claim).verdict())
        .isEqualTo(ClaimVerdict.REFUTED);
    Claims claims = claims(claim + ", bounds: ours");
    claims.from(results("t", 1.5, 1.5), CANNOT_TELL);
    assertThat(claims.page())
        .contains("; at least 48 % lower (four fifths of 60) |")
        .contains("* **X-1**, bounds: ours");
    String cost =
        "figures: { f: { of: P99, arm: a, over: b } },"
            + " reproduced: { f: at most five quarters of 0.4 }";
    assertThat(judge(results("u", 0.49, 0.49), cost).verdict()).isEqualTo(ClaimVerdict.REPRODUCED);
  }

  @Test
  void anotherRegimeCountsOnlyWhereTheClaimDoesNot() throws Exception {
    String regime =
        "figures: { f: { of: P99, arm: a, over: b },"
            + " g: { of: P99, arm: a, over: b, params: { zipf: 1.5 } } },"
            + " reproduced: { f: at most 0.4 }, regime: { g: at most 0.5 },"
            + " remarks: { regime: only with skew, refuted: never shown }";
    JudgedClaim judged = judge(results("r", 0.5, 0.52, 0.51), regime);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.REGIME);
    assertThat(judged.remark()).isEqualTo("only with skew");
    assertThat(judge(results("s", 0.3, 0.3), regime).verdict()).isEqualTo(ClaimVerdict.REPRODUCED);
  }

  @Test
  void aRegimeMayHaveWordsOfItsOwn() throws Exception {
    String regime =
        "figures: { f: { of: P99, arm: a, over: b } }, reproduced: { f: at most 0.4 },"
            + " regime: { f: at most 0.6 }, regime-words: needs skew";
    assertThat(judge(results("r", 0.5, 0.52, 0.51), regime).words()).isEqualTo("needs skew");
    assertThat(judge(results("s", 0.3, 0.3), regime).words()).isEqualTo("reproduced");
    assertThat(judge(results("t", 0.7, 0.7), regime).words()).isEqualTo("refuted");
  }

  @Test
  void aClaimThatTheIdealDoesNotReachIsNamed() throws Exception {
    String claim =
        "figures: { f: { of: P99, arm: a, over: b }, bound: { of: P99, arm: b, over: a } },"
            + " reproduced: { f: at most 0.1 }, regime: { f: at most 0.2 },"
            + " beyond: { bound: at least 1.5 }, remarks: { beyond: see the bound }";
    JudgedClaim judged = judge(results("r", 0.5, 0.52, 0.51), claim);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.BEYOND);
    assertThat(judged.words()).isEqualTo("not even the ideal");
    assertThat(judged.remark()).isEqualTo("see the bound");
    assertThat(judge(results("s", 0.8, 0.8), claim).verdict()).isEqualTo(ClaimVerdict.REFUTED);
  }

  @Test
  void figuresCanBeComparedWithEachOther() throws Exception {
    String claim =
        "figures: { f: { of: P99, arm: a, over: b }, g: { of: P99, arm: b, over: a } },"
            + " reproduced: { f: below figure g }";
    assertThat(judge(results("r", 0.5, 0.52, 0.51), claim).verdict())
        .isEqualTo(ClaimVerdict.REPRODUCED);
    assertThat(judge(results("s", 1.5, 1.52, 1.51), claim).verdict())
        .isEqualTo(ClaimVerdict.REFUTED);
  }

  @Test
  void saturatedArmsAreNotCompared() throws Exception {
    Path folder = results("r", 0.5, 0.5);
    Path file = folder.resolve("metrics.csv");
    Files.writeString(
        file, Files.readString(file).replace("all,all,,saturated,0", "all,all,,saturated,1"));
    JudgedClaim judged = judge(folder, HALF);
    assertThat(judged.verdict()).isEqualTo(ClaimVerdict.SATURATED);
    assertThat(judged.words()).as("its results are stored").isEqualTo("saturated or failing");
    String alsoMissing = "figures: { P99: { of: P99, arm: a, over: b }, c: { of: P99, arm: c } },";
    assertThat(
            judge(folder, alsoMissing + " reproduced: { P99: at most 0.6, c: at most 1 }")
                .verdict())
        .isEqualTo(ClaimVerdict.UNTRIED);
    assertThat(judge(folder, HALF.replace("over: b", "over: b, even-saturated: true")).verdict())
        .isEqualTo(ClaimVerdict.REPRODUCED);
  }

  /** The requests that an arm answers may be the easy ones. */
  @Test
  void failingArmsAreNotCompared() throws Exception {
    Path folder = results("r", 0.5, 0.5);
    Path file = folder.resolve("summary.csv");
    String sound = Files.readString(file);
    Files.writeString(file, sound.replace("a,all,70%,1,1,100,0,0", "a,all,70%,1,1,100,10,0"));
    assertThat(judge(folder, HALF).verdict()).isEqualTo(ClaimVerdict.SATURATED);
    assertThat(judge(folder, HALF.replace("over: b", "over: b, even-saturated: true")).verdict())
        .isEqualTo(ClaimVerdict.REPRODUCED);
    String least = "figures: { f: { of: P99, arm: [a, b], over: b, take: min } }";
    assertThat(judge(folder, least + ", reproduced: { f: at least 0.1 }").verdict())
        .as("the least of the others would be too favourable")
        .isEqualTo(ClaimVerdict.SATURATED);
    String metric = "figures: { f: { of: reads_per_s, arm: a } }, reproduced: { f: at least 1 }";
    Files.writeString(file, sound.replace("a,all,70%,all,all,100,0,0", "a,all,70%,all,all,9,1,0"));
    assertThat(judge(folder, metric).verdict())
        .as("the failures are stored with a metric, too")
        .isEqualTo(ClaimVerdict.SATURATED);
    Files.writeString(file, sound);
    Path metrics = folder.resolve("metrics.csv");
    String point = "figures: { f: { of: P99, arm: a, over: b, params: { zipf: 1.5 } } }";
    String judged = point + ", reproduced: { f: at most 0.6 }";
    assertThat(judge(folder, judged).verdict()).isEqualTo(ClaimVerdict.REPRODUCED);
    Files.writeString(
        metrics, Files.readString(metrics) + "trial,a,all,70%,all,all,zipf=1.5,failed_pct,5,,\n");
    assertThat(judge(folder, judged).verdict()).isEqualTo(ClaimVerdict.SATURATED);
  }
}
