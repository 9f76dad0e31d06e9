/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.message.MessageKind;
import org.apache.cassandra.locator.InetAddressAndPort;

/** Sends notices as messages of Manx. */
final class MessageNotices implements Notices {
  @Override
  public void started(Engine engine, InetAddressAndPort first, long copyId) {
    engine.messages().send(first, MessageKind.COPY_STARTED, TieForm.id(copyId));
  }

  @Override
  public void recalled(Engine engine, InetAddressAndPort peer, long copyId) {
    engine.messages().send(peer, MessageKind.COPY_RECALLED, TieForm.id(copyId));
  }
}
