/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

/**
 * One side of a comparison.
 *
 * @param name as it stands in every result file and legend
 * @param description for people; may be empty
 * @param settings what makes it differ from the others
 */
public record Arm<S>(String name, String description, S settings) {}
