/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PreflightTest {
  @Test
  void namesTheProcessThatHoldsAPort() throws Exception {
    try (ServerSocket taken = new ServerSocket()) {
      taken.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.9"), 0));
      int port = taken.getLocalPort();
      List<String> findings = new ArrayList<>();
      Preflight.port(findings, "127.0.0.9", port);
      assertThat(findings)
          .singleElement()
          .asString()
          .startsWith("port 127.0.0.9:" + port + " is taken by process ")
          .contains(Long.toString(ProcessHandle.current().pid()))
          .endsWith("stop it first");
      findings.clear();
      Preflight.port(findings, "127.0.0.8", port);
      assertThat(findings).isEmpty();
    }
  }

  @Test
  void seesWhoListensOnEveryAddress() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThat(ListeningPorts.listener("127.0.0.1", taken.getLocalPort()))
          .map(ProcessHandle::pid)
          .contains(ProcessHandle.current().pid());
    }
  }

  @Test
  void nodesNeedJava17WhateverRunsTheTools() {
    Path own = Path.of(System.getProperty("java.home"));
    assertThat(NodeJava.home("", 17, own)).contains(own);
    assertThat(NodeJava.home("", 21, own)).isEmpty();
    assertThat(NodeJava.home(own.toString(), 25, Path.of("/other"))).contains(own);
    assertThat(NodeJava.home("/nowhere", 25, own)).isEmpty();
    List<String> findings = new ArrayList<>();
    Preflight.java(findings, Optional.of(own));
    assertThat(findings).isEmpty();
    Preflight.java(findings, Optional.empty());
    assertThat(findings)
        .singleElement()
        .asString()
        .startsWith("no Java 17 was found")
        .contains("openjdk-17", "MANX_NODE_JAVA_HOME");
  }

  @Test
  void saysHowMuchMemoryIsMissing() {
    List<String> findings = new ArrayList<>();
    Preflight.memory(findings, ClusterSettings.defaults(), OptionalLong.of(1L << 30));
    assertThat(findings)
        .singleElement()
        .asString()
        .startsWith("memory: 3 nodes need about 3.193GiB, and 1GiB are available");
    findings.clear();
    Preflight.memory(findings, ClusterSettings.defaults(), OptionalLong.of(8L << 30));
    Preflight.memory(findings, ClusterSettings.defaults(), OptionalLong.empty());
    assertThat(findings).isEmpty();
  }
}
