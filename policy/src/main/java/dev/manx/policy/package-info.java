/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Decides which replica serves a read, which queued read is next, and how a fan-out request is
 * planned: pure decisions over the host's inputs. This package holds the types that all families
 * share: the request, its decisions, clock and randomness.
 */
package dev.manx.policy;
