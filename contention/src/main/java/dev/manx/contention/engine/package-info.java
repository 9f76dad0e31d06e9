/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage engine under test: fetches and builds it on the user's machine, builds the driver
 * against it, and runs one repetition at a time in a process of its own.
 */
package dev.manx.contention.engine;
