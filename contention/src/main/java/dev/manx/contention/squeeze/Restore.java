/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The result of restoring a squeezed process. Only our settings are changed: a thread that has
 * since set its own cores or nice level keeps them.
 *
 * @param cores threads whose cores were restored
 * @param nices threads whose nice level was restored
 * @param ended whether the process had ended, so that nothing had to be restored
 */
public record Restore(int cores, int nices, boolean ended) {
  /**
   * Restores by a journal and deletes it.
   *
   * @throws IOException if the journal cannot be read
   * @throws SqueezeException if threads remain squeezed; the journal is then kept
   */
  static Restore of(Path journal) throws IOException {
    SqueezeJournal.Content content = SqueezeJournal.read(journal);
    if (content.isElsewhere()) {
      throw new SqueezeException(
          "was squeezed in another namespace of process ids, such as a container; left alone. Run"
              + " ./manx contention restore there, or delete "
              + journal
              + " if that no longer exists");
    }
    Restore done;
    try {
      done = new Restorer(content).all();
    } catch (SqueezeException e) {
      throw new SqueezeException(e.getMessage() + ". " + advice(journal), e);
    }
    Files.deleteIfExists(journal);
    return done;
  }

  /** How a user restores what is left. */
  static String advice(Path journal) {
    return "As root, run ./manx contention restore; the journal is " + journal;
  }

  /** Deletes the journal of a squeeze that changed nothing. */
  static Restore ofNothing(Path journal) throws IOException {
    Files.deleteIfExists(journal);
    return new Restore(0, 0, false);
  }
}
