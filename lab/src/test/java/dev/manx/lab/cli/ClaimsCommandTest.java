/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClaimsCommandTest {
  /** It would look at the page, and neither run nor store anything. */
  @Test
  void aCheckDoesNothingElse() {
    for (List<String> more : List.of(List.of("--run", "BRB"), List.of("--from", "folder"))) {
      StringWriter said = new StringWriter();
      int code =
          Manx.commandLine()
              .setErr(new PrintWriter(said))
              .execute("claims", "--check", more.get(0), more.get(1));
      assertThat(code).isEqualTo(2);
      assertThat(said.toString())
          .startsWith("manx: --check cannot be combined with --run or --from\n");
    }
  }
}
