/* SPDX-License-Identifier: Apache-2.0 */
/** Starts clusters on this machine, and limits the resources of processes on it. */
package dev.manx.local;
