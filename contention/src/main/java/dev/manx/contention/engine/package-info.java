/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The storage engine under test: fetches and builds it on the user's machine, builds the driver
 * against it, and runs each repetition in a separate process.
 */
package dev.manx.contention.engine;
