/* SPDX-License-Identifier: Apache-2.0 */
/** Time-outs that depend on no pool of the application or the JDK. */
package dev.manx.client.timer;
