/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.load.connect.ConnectSettings;

/**
 * A cluster of the user, given on the command line.
 *
 * @param name name given by the user
 * @param settings connection settings
 * @param writes whether statements may write to it
 * @param switchAll whether Manx may be switched on at nodes where it is off or in shadow mode
 */
public record OwnCluster(
    String name, ConnectSettings settings, boolean writes, boolean switchAll) {}
