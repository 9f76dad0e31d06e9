/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The report: {@code report.json}, made from nothing but the other files of a result directory.
 * {@code render} shows it.
 */
package dev.manx.lab.report;
