/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "policies", mixinStandardHelpOptions = true)
final class PoliciesCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
