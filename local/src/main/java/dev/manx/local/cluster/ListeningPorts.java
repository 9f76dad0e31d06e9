/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Checks whether a port is free, and finds its owner. */
final class ListeningPorts {
  private ListeningPorts() {}

  /** The reason why the address and port cannot be bound; empty if they can. */
  static Optional<String> refusal(String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The process that listens on an address and port, as far as visible in /proc. */
  static Optional<ProcessHandle> listener(String address, int port) {
    String[] bytes = address.split("\\.", -1);
    StringBuilder hex = new StringBuilder();
    for (int i = bytes.length - 1; i >= 0; i--) {
      hex.append(String.format("%02X", Integer.parseInt(bytes[i])));
    }
    // A listener on all addresses, or on the IPv4-mapped IPv6 address, also owns this one.
    String local = "(" + hex + "|0+|0+FFFF0000" + hex + "):" + String.format("%04X", port);
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      try {
        for (String line : Files.readAllLines(Path.of(table), StandardCharsets.US_ASCII)) {
          String[] fields = line.trim().split("\\s+", -1);
          // local_address is HEX:PORT, state 0A is LISTEN, the tenth field is the socket's inode
          if (fields.length > 9 && fields[3].equals("0A") && fields[1].matches(local)) {
            Optional<ProcessHandle> owner = owner("socket:[" + fields[9] + "]");
            if (owner.isPresent()) {
              return owner;
            }
          }
        }
      } catch (IOException e) {
        // not Linux: the owner stays unknown
      }
    }
    return Optional.empty();
  }

  private static Optional<ProcessHandle> owner(String socket) {
    return ProcessHandle.allProcesses().filter(process -> holds(process.pid(), socket)).findFirst();
  }

  private static boolean holds(long pid, String socket) {
    try (DirectoryStream<Path> open =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (Path file : open) {
        if (Files.readSymbolicLink(file).toString().equals(socket)) {
          return true;
        }
      }
    } catch (IOException | SecurityException | java.nio.file.DirectoryIteratorException e) {
      // a process of another user, or one that has just ended
    }
    return false;
  }
}
