/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The part of a remote store that is independent of the kind of server: limits, ownership of the
 * instance, and recovery. A kind of server adds a {@link dev.manx.client.store.remote.Link} and
 * opens its stores with {@link dev.manx.client.store.remote.RemoteStore#open}.
 */
package dev.manx.client.store.remote;
