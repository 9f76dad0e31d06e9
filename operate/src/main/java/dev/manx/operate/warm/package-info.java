/* SPDX-License-Identifier: Apache-2.0 */
/** {@code manx warm}: waits until a restarted node is as fast as the others. */
package dev.manx.operate.warm;
