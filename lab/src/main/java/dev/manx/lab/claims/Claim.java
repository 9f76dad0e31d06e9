/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.Map;
import java.util.Optional;

/**
 * One published claim and how it is tried.
 *
 * @param id as in the catalogue of policies
 * @param setting what it was claimed of
 * @param published what was claimed, in numbers
 * @param figures ours, by name, in the order in which they are shown; empty if nothing here can try
 *     it yet
 * @param example a worked example that its figures are made of, in place of runs
 * @param reproduced by name of a figure: all of these rules must hold for it to count as reproduced
 * @param regime by name of a figure: if not reproduced, all of these for a regime
 * @param beyond by name of a figure: if neither, all of these for out of reach
 * @param regimeWords what the page calls a regime that was found; empty for the usual words
 * @param remarks a sentence or two by verdict; the one of the verdict that was reached is shown
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
    Map<Verdict, String> remarks) {}
