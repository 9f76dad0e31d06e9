/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shares in memcached or Redis, one instance per share: each resized by its own administration, and
 * none able to hold up a request.
 */
package dev.manx.client.store.remote;
