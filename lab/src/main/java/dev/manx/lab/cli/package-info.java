/* SPDX-License-Identifier: Apache-2.0 */
/** The command {@code manx}; the only package of the lab that writes to the terminal. */
package dev.manx.lab.cli;
