/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Guesses about a key before it is read: the size of its value, its popularity, and the resulting
 * service time.
 */
package dev.manx.policy.oracle;
