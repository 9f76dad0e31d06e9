/* SPDX-License-Identifier: Apache-2.0 */
/** Starts clusters on this machine, and limits what a process on it may use. */
package dev.manx.local;
