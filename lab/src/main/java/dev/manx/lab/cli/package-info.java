/* SPDX-License-Identifier: Apache-2.0 */
/** The one command {@code manx}; the only place that writes to the terminal. */
package dev.manx.lab.cli;
