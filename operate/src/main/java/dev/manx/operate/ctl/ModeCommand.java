/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.operate.look.NodeState;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code manx ctl mode}. */
@Command(
    name = "mode",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Switches Manx off, to shadow or on, and reads each node back.",
      "  off     every decision is stock's; takes effect at once",
      "  shadow  Manx measures and decides, but does not act",
      "  on      Manx decides",
      "shadow and on change no node if one of the chosen nodes cannot be changed; off is set wherever possible. A switch lasts until the node restarts, or longer with --persist, which with `on` also persists a canary. `off` ends a persisted mode; `mode: off` in manx.yaml overrides a persisted mode."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes as asked, 1 some not, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx ctl mode shadow --on production",
      "  ./manx ctl mode on --on production --nodes 10.0.1.11    one node first",
      "  ./manx ctl mode off --on 10.0.1.11 --user operator"
    })
final class ModeCommand extends Changing {
  enum Mode {
    off,
    shadow,
    on;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "MODE", description = "One of ${COMPLETION-CANDIDATES}.")
  private Mode mode;

  @Override
  String what() {
    return "mode " + mode.word();
  }

  @Override
  Change passing() {
    return to(mode);
  }

  @Override
  String hint() {
    return hint(mode);
  }

  /** The switch to a mode; to off wherever possible. */
  static Change to(Mode mode) {
    String word = mode.word();
    return new Change(
        Change.MODE, word, NodeState::mode, state -> state.mode().equals(word), mode == Mode.off);
  }

  /** The duration of a switch that was not persisted. */
  static String hint(Mode mode) {
    return "This lasts until a node restarts; --persist, or `mode: "
        + mode.word()
        + "` in its manx.yaml, keeps it.";
  }
}
