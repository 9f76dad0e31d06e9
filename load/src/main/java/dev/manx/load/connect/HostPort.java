/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An address of the native protocol as written by users. */
public record HostPort(String host, int port) {
  /** Cassandra's {@code native_transport_port} as shipped. */
  public static final int STANDARD_PORT = 9042;

  // host, host:port, [v6], [v6]:port, and a v6 address without brackets, which has no port.
  private static final Pattern FORM =
      Pattern.compile("\\[([0-9A-Fa-f:.%]+)](?::(\\d{1,5}))?|([^\\s:,/@\\[\\]]+)(?::(\\d{1,5}))?");
  private static final Pattern BARE_V6 =
      Pattern.compile("[0-9A-Fa-f]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*");

  /** Reads {@code host}, {@code host:port} or {@code [v6]:port}; empty if it is none of these. */
  public static Optional<HostPort> parse(String text) {
    if (BARE_V6.matcher(text).matches()) {
      return Optional.of(new HostPort(text, STANDARD_PORT));
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String host = form.group(1) == null ? form.group(3) : form.group(1);
    String port = form.group(2) == null ? form.group(4) : form.group(2);
    int number = port == null ? STANDARD_PORT : Integer.parseInt(port);
    return number < 1 || number > 65_535
        ? Optional.empty()
        : Optional.of(new HostPort(host, number));
  }

  /** An address that the driver knows. */
  static HostPort of(InetSocketAddress address) {
    InetAddress resolved = address.getAddress();
    return new HostPort(
        resolved == null ? address.getHostString() : resolved.getHostAddress(), address.getPort());
  }

  /** Whether both hosts are equal; IPv6 addresses in any form, others as text. */
  public boolean isSameHost(HostPort other) {
    return canonical().equals(other.canonical());
  }

  private String canonical() {
    if (host.indexOf(':') < 0) {
      return host;
    }
    try {
      // A literal: no name server is queried.
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }

  /** Finds the addresses of a host by its name. */
  interface Resolver {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  /** All addresses of the host; one that is unresolved if the name is unknown. */
  List<InetSocketAddress> resolved() {
    return resolved(InetAddress::getAllByName);
  }

  List<InetSocketAddress> resolved(Resolver names) {
    try {
      return Arrays.stream(names.all(host))
          .map(address -> new InetSocketAddress(address, port))
          .toList();
    } catch (UnknownHostException e) {
      return List.of(InetSocketAddress.createUnresolved(host, port));
    }
  }

  /** The host, and the port if it is not the standard one. */
  public String brief() {
    return port == STANDARD_PORT ? host : toString();
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
