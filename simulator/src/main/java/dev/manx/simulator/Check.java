/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * A checker's verdict on a run.
 *
 * @param name what must hold
 * @param holds whether it does
 * @param detail the numbers
 */
public record Check(String name, boolean holds, String detail) {}
