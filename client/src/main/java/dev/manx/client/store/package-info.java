/* SPDX-License-Identifier: Apache-2.0 */
/** The stores of a backend's share: one small interface, in process or remote. */
package dev.manx.client.store;
