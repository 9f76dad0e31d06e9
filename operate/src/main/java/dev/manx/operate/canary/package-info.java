/* SPDX-License-Identifier: Apache-2.0 */
/** Which requests Manx acts on, and what it is worth to them by what the nodes have counted. */
package dev.manx.operate.canary;
