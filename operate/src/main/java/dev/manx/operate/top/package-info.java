/* SPDX-License-Identifier: Apache-2.0 */
/** What a cluster does at the moment, in a terminal. */
package dev.manx.operate.top;
