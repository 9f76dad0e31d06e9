/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(name = "report", mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
