/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Plans a request as a whole: priorities, slack, holds, credits and second copies of its reads.
 * Every planner implements {@link dev.manx.policy.fanout.FanoutPlanner}.
 */
package dev.manx.policy.fanout;
