/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The decision log: what a decision was made of, and what it was, as lines of text that a replay
 * can decide again. The form of the lines is described in {@code docs/operate/decision-log.md}.
 */
package dev.manx.policy.record;
