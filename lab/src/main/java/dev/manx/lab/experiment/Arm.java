/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/**
 * One side of a comparison.
 *
 * @param name name in every result file and legend
 * @param description for users; may be empty
 * @param settings its differences from the other arms
 */
public record Arm<S>(String name, String description, S settings) {}
