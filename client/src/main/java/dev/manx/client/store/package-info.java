/* SPDX-License-Identifier: Apache-2.0 */
/** Where a backend's share of the cache is kept: one small interface, in process or remote. */
package dev.manx.client.store;
