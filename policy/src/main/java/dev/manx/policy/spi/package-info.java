/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a policy describes itself to the registry: the policy's own class declares name, summary,
 * settings and factory as one {@link dev.manx.policy.spi.PolicyInfo}.
 */
package dev.manx.policy.spi;
