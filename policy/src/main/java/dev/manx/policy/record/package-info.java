/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The decision log: inputs and results of decisions as lines of text that can be replayed. {@code
 * docs/operate/decision-log.md} describes the lines.
 */
package dev.manx.policy.record;
