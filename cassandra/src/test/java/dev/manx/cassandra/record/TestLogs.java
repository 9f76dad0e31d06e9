/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.record.DecisionLog;
import dev.manx.policy.record.LogLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Decision logs for tests of other packages. */
public final class TestLogs {
  private TestLogs() {}

  /** Ends a recording and returns its lines of a kind. */
  public static List<LogLine> ended(RecordingSwitch recorder, String kind)
      throws IOException, InterruptedException {
    LogFile file = recorder.log();
    recorder.set("off");
    file.await();
    DecisionLog log = new DecisionLog("log", ByteBuffer.wrap(Files.readAllBytes(file.file())));
    List<LogLine> lines = new ArrayList<>();
    for (LogLine line = log.next(); line != null; line = log.next()) {
      if (line.kind().equals(kind)) {
        lines.add(line);
      }
    }
    return lines;
  }
}
