/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS towards the nodes.
 *
 * @param trust authorities that sign the nodes' certificates: a PEM file, or a JKS or PKCS#12
 *     store; null for those that the JDK trusts
 * @param key this client's private key: a PEM file (PKCS#8), or a store with key and certificate
 * @param certificate the certificate of a PEM key, with its chain
 * @param password of the key's store, or of an encrypted PEM key; null for none
 * @param trustPassword of the store of authorities; null for none
 * @param anyHost whether a certificate for another host's name is also accepted
 */
public record TlsSettings(
    Optional<Path> trust,
    Optional<Path> key,
    Optional<Path> certificate,
    String password,
    String trustPassword,
    boolean anyHost) {
  @Override
  public String toString() {
    return "TLS";
  }
}
