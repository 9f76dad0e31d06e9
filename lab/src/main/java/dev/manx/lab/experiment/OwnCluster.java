/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.load.connect.ConnectSettings;

/**
 * A cluster of the user, as the command line names it.
 *
 * @param name as the user named it
 * @param settings how to reach it
 * @param writes whether statements may write to it
 * @param switchAll whether Manx may be switched on at nodes where it is not on
 */
public record OwnCluster(
    String name, ConnectSettings settings, boolean writes, boolean switchAll) {}
