/* SPDX-License-Identifier: Apache-2.0 */
/** The kinds of experiments, one package each: settings, execution of a turn, and words. */
package dev.manx.lab.kind;
