/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Decides which replica serves a read, which queued read is next, and how a fan-out request is
 * planned: pure decisions over what the host hands in. This package holds what every family uses:
 * the request, its decisions, clock and randomness.
 */
package dev.manx.policy;
