/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.Map;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;

/** Runnables of the read stage that all read one command, without Cassandra's classes. */
final class PlayedReads extends ReadRunnables {
  private final ReadCommand command;

  /** Whether they read this node's own data for one of its requests. */
  boolean local = true;

  PlayedReads(ReadCommand command) throws ReflectiveOperationException {
    this.command = command;
  }

  @Override
  boolean isLocal(Runnable task) {
    return local;
  }

  @Override
  ReadCommand command(Runnable task) {
    return command;
  }

  @Override
  Message.Header header(Runnable task) {
    return null;
  }

  @Override
  ReadCallback<?, ?> localHandler(Runnable task) {
    return null;
  }

  @Override
  Map<?, ?> failures(ReadCallback<?, ?> handler) {
    return Map.of();
  }
}
