/* SPDX-License-Identifier: Apache-2.0 */
/** The kinds of experiments, a package each: settings, how a turn is played, and words. */
package dev.manx.lab.kind;
