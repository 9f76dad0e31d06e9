/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import dev.manx.load.CassandraTarget;
import dev.manx.load.DriverSettings;
import dev.manx.load.Pace;
import dev.manx.load.Pacer;
import dev.manx.load.RequestOutcome;
import dev.manx.load.Target;
import dev.manx.load.connect.ConnectException;
import dev.manx.workload.PlannedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends a mix of a user's statements. Reads all pages of an answer without checking rows. */
public final class OwnTarget implements Target {
  private static final Pattern MISSING =
      Pattern.compile("User (.+) has no (\\w+) permission on <table (\\w+)\\.(\\w+)>");

  /** A row that is read more often is in the nodes' caches, unless those are small. */
  private static final double MOST_USES = 1.5;

  private final CqlSession session;
  private final List<OwnRows> statements;
  private final long timeoutNanos;

  OwnTarget(CqlSession session, List<OwnRows> statements, long timeoutNanos) {
    this.session = session;
    this.statements = List.copyOf(statements);
    this.timeoutNanos = timeoutNanos;
  }

  /**
   * Prepares the statements and samples their keys.
   *
   * @param rows number to sample for each statement
   * @param perSecond largest rate of range reads for sampling
   * @param timeoutNanos of a request with all of its pages
   * @throws ConnectException if a statement is refused, or its table cannot fill its markers
   */
  public static OwnTarget prepare(
      CqlSession session,
      List<OwnStatement> statements,
      int rows,
      long seed,
      double perSecond,
      long timeoutNanos) {
    Pace pace = new Pace(Pacer.SYSTEM, perSecond);
    List<OwnRows> prepared = new ArrayList<>();
    for (OwnStatement statement : statements) {
      try {
        prepared.add(OwnRows.of(session, statement, rows, seed, pace));
      } catch (QueryValidationException e) {
        throw new ConnectException(
            "statement " + statement.name() + " is refused: " + e.getMessage() + grant(e), e);
      } catch (DriverException e) {
        throw new ConnectException(
            "statement " + statement.name() + ": its keys cannot be sampled: " + e.getMessage(), e);
      }
    }
    return new OwnTarget(session, prepared, timeoutNanos);
  }

  private static String grant(QueryValidationException refusal) {
    return refusal instanceof UnauthorizedException
        ? grant(String.valueOf(refusal.getMessage()))
        : "";
  }

  /** The remedy for a missing permission, where the node's message names user and table. */
  static String grant(String message) {
    Matcher missing = MISSING.matcher(message);
    return missing.find()
        ? "; GRANT %s ON TABLE %s.%s TO %s"
            .formatted(
                missing.group(2),
                quoted(missing.group(3)),
                quoted(missing.group(4)),
                quoted(missing.group(1)))
        : "";
  }

  /** The node's message has names without quotes, which some need in CQL. */
  private static String quoted(String name) {
    return CqlIdentifier.fromInternal(name).asCql(true);
  }

  /**
   * Its requests; equal seeds give equal requests.
   *
   * @param perSecond rate, never exceeded by more than one even if requests are late
   * @param mostLateNanos largest delay of a request
   * @param seed of the times, the statements and their numbers of keys
   * @param keySeed of the keys
   */
  public OwnStream stream(double perSecond, long mostLateNanos, long seed, long keySeed) {
    return new OwnStream(parts(), perSecond, mostLateNanos, seed, keySeed);
  }

  /** The number of requests of a time in such a stream. */
  public static double requests(double perSecond, long mostLateNanos, long nanos) {
    return nanos / OwnStream.slotNanos(perSecond, mostLateNanos);
  }

  private List<OwnStream.Part> parts() {
    List<OwnStream.Part> parts = new ArrayList<>();
    int from = 0;
    for (OwnRows own : statements) {
      OwnStatement statement = own.statement();
      boolean many = own.markers().isMultiget();
      parts.add(
          new OwnStream.Part(
              statement.weight(),
              many ? statement.leastKeys() : 1,
              many ? statement.mostKeys() : 1,
              from,
              own.rows().size()));
      from += own.rows().size();
    }
    return parts;
  }

  /**
   * Describes the number of rows from which each statement's keys are taken, and how often each is
   * used.
   *
   * @param requests number of requests of the whole run
   */
  public List<String> words(double requests) {
    List<String> words = new ArrayList<>();
    List<OwnStream.Part> parts = parts();
    for (int at = 0; at < parts.size(); at++) {
      OwnRows own = statements.get(at);
      String name = own.statement().name();
      words.add(
          own.markers().all().isEmpty()
              ? name + " without keys"
              : String.format(
                  Locale.ROOT,
                  "%s from %d rows, each used some %.1f times in the run",
                  name,
                  own.rows().size(),
                  uses(parts, at, requests)));
    }
    return words;
  }

  /** The mean number of uses of a sampled row of a statement. */
  private static double uses(List<OwnStream.Part> parts, int at, double requests) {
    OwnStream.Part part = parts.get(at);
    double weights = parts.stream().mapToDouble(OwnStream.Part::weight).sum();
    return requests * part.weight() / weights * part.rowsPerRequest() / part.rows();
  }

  /**
   * Warnings about statements that undo writes of other clients, and about reads of rows that are
   * in caches.
   *
   * @param requests number of requests of the whole run
   */
  public List<String> warnings(double requests) {
    List<String> warnings = new ArrayList<>();
    List<OwnStream.Part> parts = parts();
    for (int at = 0; at < parts.size(); at++) {
      OwnRows own = statements.get(at);
      own.markers().warning().ifPresent(warnings::add);
      double uses = uses(parts, at, requests);
      if (own.statement().reads() && !own.markers().all().isEmpty() && uses > MOST_USES) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "%s reads each of its %d sampled rows some %.0f times in the run, mostly from"
                    + " caches if these hold the rows; to read other rows each time, set sample to"
                    + " %.0f, if the table has as many",
                own.statement().name(),
                own.rows().size(),
                uses,
                Math.ceil(uses * own.rows().size())));
      }
    }
    return warnings;
  }

  /** The number of range reads that sample the keys of a statement. */
  public static int reads(int rows) {
    return OwnRows.places(rows);
  }

  /**
   * Returns a target with other driver settings, for which the session has a profile. All targets
   * mark only reads as idempotent, so the driver sends a write once, and its own retries of reads
   * are the same for all.
   */
  public Target with(DriverSettings driver) {
    return request -> send(request, bound -> bound.setExecutionProfileName(driver.profile()));
  }

  @Override
  public CompletionStage<RequestOutcome> send(PlannedRequest request) {
    return send(request, UnaryOperator.identity());
  }

  private CompletionStage<RequestOutcome> send(
      PlannedRequest request, UnaryOperator<BoundStatement> asAsked) {
    int from = 0;
    int at = 0;
    while (request.keyId(0) >= from + statements.get(at).rows().size()) {
      from += statements.get(at++).rows().size();
    }
    OwnRows own = statements.get(at);
    Pages pages = new Pages(Pacer.SYSTEM, timeoutNanos);
    return session
        .executeAsync(asAsked.apply(bound(own, request, from)))
        .thenCompose(pages::rest)
        .exceptionally(CassandraTarget::failure);
  }

  private static BoundStatement bound(OwnRows own, PlannedRequest request, int from) {
    List<Object> values = new ArrayList<>();
    List<OwnMarkers.Marker> markers = own.markers().all();
    for (int marker = 0; marker < markers.size(); marker++) {
      if (markers.get(marker).in()) {
        List<Object> list = new ArrayList<>();
        for (int id : request.keyIds()) {
          list.add(own.rows().get(id - from).get(marker));
        }
        values.add(list);
      } else {
        values.add(own.rows().get(request.keyId(0) - from).get(marker));
      }
    }
    return own.prepared().bind(values.toArray()).setIdempotent(own.statement().reads());
  }
}
