/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.Map;
import java.util.Optional;

/**
 * A published claim and the way to test it.
 *
 * @param id letters for the paper and a number, for example TX-3
 * @param setting setting of the claim
 * @param published the claimed numbers
 * @param figures our figures by name, in display order; empty if it cannot be tested yet
 * @param example a worked example that gives its figures instead of runs
 * @param reproduced rules by name of a figure: all must hold for the verdict reproduced
 * @param regime rules for the verdict regime found, if not reproduced
 * @param beyond rules for the verdict "not even the ideal", if neither of the above
 * @param regimeWords the page's words for a regime found; empty for the default
 * @param bounds why a rule has a number that was not published; empty if none has
 * @param remarks one or two sentences by verdict; the page shows the one of the actual verdict
 */
record Claim(
    String id,
    String setting,
    String published,
    Map<String, FigureSpec> figures,
    Optional<WorkedExample> example,
    Map<String, Rule> reproduced,
    Map<String, Rule> regime,
    Map<String, Rule> beyond,
    String regimeWords,
    String bounds,
    Map<ClaimVerdict, String> remarks) {}
