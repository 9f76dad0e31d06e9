/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
  private static final int SHORT_MILLIS = 50;
  private static final int LONG_MILLIS = 20_000;

  private ServerSocket server;
  private Relay relay;
  private Socket client;
  private Socket accepted;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    relay = new Relay((InetSocketAddress) server.getLocalSocketAddress());
    client = new Socket(relay.address().getAddress(), relay.address().getPort());
    accepted = server.accept();
    client.setSoTimeout(LONG_MILLIS);
    accepted.setSoTimeout(LONG_MILLIS);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    accepted.close();
    relay.close();
    server.close();
  }

  private static void send(Socket from, int value) throws IOException {
    from.getOutputStream().write(value);
  }

  private static void hasNothing(Socket socket) throws IOException {
    socket.setSoTimeout(SHORT_MILLIS);
    InputStream in = socket.getInputStream();
    assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(LONG_MILLIS);
  }

  @Test
  void passesBytesInBothDirections() throws IOException {
    send(client, 1);
    assertThat(accepted.getInputStream().read()).isEqualTo(1);
    send(accepted, 2);
    assertThat(client.getInputStream().read()).isEqualTo(2);
  }

  @Test
  void deliversWhatItHeldBackWhenItPassesAgain() throws IOException {
    relay.stall();
    send(client, 1);
    send(accepted, 2);
    hasNothing(accepted);
    hasNothing(client);
    relay.pass();
    assertThat(accepted.getInputStream().read()).isEqualTo(1);
    assertThat(client.getInputStream().read()).isEqualTo(2);
  }

  @Test
  void deliversWhatAClientHasSentThatIsGone() throws IOException {
    relay.stall();
    send(client, 1);
    client.close();
    relay.pass();
    assertThat(accepted.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void delaysWhatArrives() throws IOException {
    relay.delay(Duration.ofHours(1));
    send(client, 1);
    hasNothing(accepted);
    relay.delay(Duration.ofMillis(1));
    assertThat(accepted.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void resetsWhatIsOpenAndWhatIsOpenedThen() throws IOException {
    relay.reset();
    assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    try (Socket next = new Socket(relay.address().getAddress(), relay.address().getPort())) {
      next.setSoTimeout(LONG_MILLIS);
      send(next, 1);
      assertThatThrownBy(() -> next.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void resetsAClientWhoseServerIsAway() throws IOException {
    server.close();
    try (Socket next = new Socket(relay.address().getAddress(), relay.address().getPort())) {
      next.setSoTimeout(LONG_MILLIS);
      assertThatThrownBy(() -> next.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }
}
