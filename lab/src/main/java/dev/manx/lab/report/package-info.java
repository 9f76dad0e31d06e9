/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The report: {@code report.json}, computed only from the other files of a result directory. {@code
 * render} displays it.
 */
package dev.manx.lab.report;
