/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * A checker's verdict on a run.
 *
 * @param name the property that must hold
 * @param holds whether it holds
 * @param detail the numbers behind the verdict
 */
public record Check(String name, boolean holds, String detail) {}
