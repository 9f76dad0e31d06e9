/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;

/**
 * Explains why a node could not be reached and the remedy, from exceptions of the driver and the
 * JDK.
 */
final class Reasons {
  private Reasons() {}

  /** Returns one or two sentences, for a connection with these settings. */
  static String of(Throwable failure, ConnectSettings settings) {
    List<Throwable> chain = chain(failure);
    if (says(chain, "Unable to perform authentication")) {
      return "the node could not check the login, since too few replicas of system_auth answer it ("
          + last(chain, AuthenticationException.class)
          + ")";
    }
    if (has(chain, AuthenticationException.class)) {
      return settings
          .login()
          .map(login -> refusedLogin(login.user(), chain))
          .orElse("the node asks for a login: give --user and --password-file");
    }
    if (has(chain, CertificateExpiredException.class)) {
      return "a certificate of the node has expired ("
          + last(chain, CertificateExpiredException.class)
          + "): it needs a new one";
    }
    if (has(chain, CertificateNotYetValidException.class)) {
      return "a certificate of the node is not valid yet ("
          + last(chain, CertificateNotYetValidException.class)
          + "): compare the clocks";
    }
    if (has(chain, CertPathBuilderException.class) || says(chain, "PKIX path")) {
      return "the node's certificate is not signed by an authority that "
          + settings
              .tls()
              .flatMap(TlsSettings::trust)
              .map(file -> file + " holds: give the cluster's own to --tls-trust")
              .orElse("the JDK trusts: name the cluster's own by --tls-trust");
    }
    if (says(chain, "No subject alternative") || says(chain, "No name matching")) {
      return "the node's certificate is for another host ("
          + last(chain, CertificateException.class)
          + "): connect by that name, or take any with --tls-any-host";
    }
    if (has(chain, NotSslRecordException.class) || says(chain, "not an SSL/TLS record")) {
      return "the node does not speak TLS on this port: leave --tls out, or name the port that does";
    }
    if (has(chain, SSLException.class)
        || has(chain, ClosedConnectionException.class)
        || says(chain, "reset by peer")) {
      Optional<String> own = settings.tls().flatMap(ClientCertificate::expired);
      if (own.isPresent()) {
        return "the node refused this client in the TLS handshake; " + own.get();
      }
    }
    if (says(chain, "certificate_expired")) {
      return "the node refused this client's certificate because it has expired: renew it and name"
          + " it by --tls-key and --tls-cert ("
          + innermost(failure)
          + ")";
    }
    if (says(chain, "certificate_required")
        || says(chain, "bad_certificate")
        || says(chain, "certificate_unknown")
        || says(chain, "handshake_failure")) {
      return "the node refused this client in the TLS handshake; if it asks for a client's"
          + " certificate, give --tls-key and --tls-cert ("
          + innermost(failure)
          + ")";
    }
    if (has(chain, SSLException.class)) {
      return "TLS failed: " + last(chain, SSLException.class);
    }
    if (has(chain, UnknownHostException.class) || says(chain, "UnresolvedAddress")) {
      return "no such host is known";
    }
    if (has(chain, java.net.ConnectException.class) && says(chain, "refused")) {
      return "nothing listens there: is the node up, and is this its native_transport_port?";
    }
    if (has(chain, ConnectTimeoutException.class) || has(chain, DriverTimeoutException.class)) {
      return "no answer in time: is the node up, and does a firewall let this machine through?";
    }
    if (has(chain, ClosedConnectionException.class) || says(chain, "reset by peer")) {
      return settings.tls().isPresent()
          ? "the node closed the connection at once: if it asks for a client's certificate, give"
              + " --tls-key and --tls-cert"
          : "the node closed the connection at once: perhaps it wants TLS (--tls)";
    }
    return innermost(failure);
  }

  private static String refusedLogin(String user, List<Throwable> chain) {
    return "the node refused the login of user "
        + user
        + ": "
        + (says(chain, "not permitted to log in")
            ? "this role may not log in; a superuser can allow it: ALTER ROLE "
                + CqlIdentifier.fromInternal(user).asCql(true)
                + " WITH LOGIN = true"
            // Without the node's name: nodes with the same reason share a line.
            : "wrong password, or no such user ("
                + last(chain, AuthenticationException.class)
                    .replaceFirst("^Authentication error on node \\S+: ", "")
                + ")");
  }

  /** The message of the innermost cause, or its class if it has no message. */
  static String innermost(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null && at.getCause() != at) {
      at = at.getCause();
    }
    return at.getMessage() == null || at.getMessage().isBlank()
        ? at.getClass().getSimpleName()
        : at.getMessage();
  }

  /** All causes of a failure; of several failed nodes, those of the first. */
  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    collect(failure, chain);
    return chain;
  }

  private static void collect(Throwable failure, List<Throwable> chain) {
    if (failure == null || chain.size() > 100 || chain.contains(failure)) {
      return;
    }
    chain.add(failure);
    if (failure instanceof AllNodesFailedException all) {
      all.getAllErrors().values().forEach(some -> some.forEach(one -> collect(one, chain)));
    }
    collect(failure.getCause(), chain);
    for (Throwable suppressed : failure.getSuppressed()) {
      collect(suppressed, chain);
    }
  }

  private static boolean has(List<Throwable> chain, Class<? extends Throwable> type) {
    return chain.stream().anyMatch(type::isInstance);
  }

  private static boolean says(List<Throwable> chain, String words) {
    Predicate<Throwable> said = one -> String.valueOf(one).contains(words);
    return chain.stream().anyMatch(said);
  }

  private static String last(List<Throwable> chain, Class<? extends Throwable> type) {
    return chain.stream()
        .filter(type::isInstance)
        .reduce((first, second) -> second)
        .map(Reasons::innermost)
        .orElse("");
  }
}
