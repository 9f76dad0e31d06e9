/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.Locale;

/** The plugin's counters; the name in {@code manx.counters} is the constant in lower case. */
public enum Counter {
  /** Requests planned. */
  REQUESTS_PLANNED,
  /** SELECTs left to stock because reads hardly wait at any node; some are tracked nevertheless. */
  REQUESTS_CALM,
  /** Those of {@link #REQUESTS_CALM} that are tracked. */
  REQUESTS_FOLLOWED,
  /** Statements that could not be evaluated, or not for this client; Cassandra refuses them. */
  REQUESTS_MALFORMED,
  /** Reads in planned requests. */
  READS_PLANNED,
  /** SELECTs left to stock: range, index, serial, transient replicas, too wide. */
  REQUESTS_NOT_PLANNED,
  /**
   * Multigets left to stock's paging because too many keys or bytes were in flight at this
   * coordinator.
   */
  REQUESTS_OVER_LIMIT,
  /** Multigets whose paging was removed because the result provably fits one page. */
  MULTIGETS_UNPAGED,
  /**
   * Multigets whose paging is kept because a node that answers reads of this one runs without Manx.
   */
  MULTIGETS_LEFT_PAGED,
  /** Reads with ranked replicas, without those of requests that are only followed. */
  SELECT_DECISIONS,
  /** Reads that go to other replicas than stock would have chosen; in shadow mode: would go. */
  SELECT_CHANGED,
  /** Reads whose ranking was not a permutation of their replicas; they got stock's order. */
  SELECT_MENDED,
  /** Times the snitch hook answered from a plan. */
  SELECT_APPLIED,
  /** Reads kept at home, while no read waited anywhere, that stock would have sent elsewhere. */
  READS_KEPT_HOME,
  /** Sent messages with a tag. */
  TAGS_SENT,
  /** Queued reads with a tag that this node understands. */
  TAGS_RECEIVED,
  /** Tags of a foreign version or unit, or broken; they count as absent. */
  TAGS_IGNORED,
  /** Sent answers with facts. */
  FACTS_SENT,
  /** Answers whose facts were applied. */
  FACTS_RECEIVED,
  /** Facts that could not be read. */
  FACTS_IGNORED,
  /** Manx's own messages sent to other nodes. */
  MESSAGES_SENT,
  /** Bytes of these messages, without the frame. */
  MESSAGE_BYTES_SENT,
  /**
   * Messages not sent: the node is not alive or without Manx, or this mode sends no such messages.
   */
  MESSAGES_NOT_SENT,
  /** Messages of other nodes that were handled. */
  MESSAGES_RECEIVED,
  /** Messages of an unknown version or kind, too long, damaged, or not for this mode. */
  MESSAGES_IGNORED,
  /** Messages of {@code strategy.exchange} sent to other coordinators. */
  EXCHANGES_SENT,
  /** Messages of other coordinators' exchange that were applied. */
  EXCHANGES_RECEIVED,
  /** Reports of this node's demand and congestion sent to the controller of the credits. */
  CREDIT_REPORTS_SENT,
  /** Grants sent to other coordinators, while this node runs the controller. */
  CREDIT_GRANTS_SENT,
  /** Grants applied to this coordinator's credits, including those of its own controller. */
  CREDIT_GRANTS_RECEIVED,
  /** Times the controller of the credits appeared, disappeared or changed. */
  CREDIT_CONTROLLERS,
  /** Tickets opened: reads sent and counted as outstanding. */
  TICKETS_OPENED,
  /** Tickets closed by an answer. */
  TICKETS_ANSWERED,
  /** Tickets closed by a failure. */
  TICKETS_FAILED,
  /** Tickets closed because no answer came in time. */
  TICKETS_TIMED_OUT,
  /** Tickets closed because the peer died or Manx went off. */
  TICKETS_CANCELLED,
  /** Failed reads whose work stays outstanding for a while, since the failure is the node's own. */
  FAILURES_PENALISED,
  /** Failed reads that do not count against the node. */
  FAILURES_EXCUSED,
  /** Reads not counted as outstanding because the table was full. */
  TICKETS_OVERFLOWED,
  /** Reads that took stock's path because they did not have to wait for a read thread. */
  ORDER_PASSED,
  /** Reads that had to wait, queued through the order. */
  ORDER_QUEUED,
  /** Reads dispatched from the order. */
  ORDER_DECISIONS,
  /**
   * Dispatches of a read other than the first-in first-out choice; in shadow mode: would have been.
   */
  ORDER_CHANGED,
  /** Reads passed directly to the stock stage because the order was full. */
  ORDER_OVERFLOWED,
  /** Reads of an earlier strategy, or that the order did not return, served first-in first-out. */
  ORDER_DRAINED,
  /** Reads that an order served because they had waited for {@code max-wait}. */
  ORDER_CUTS,
  /** Reads that an order served while its queue counted as overloaded. */
  ORDER_OVERLOADED,
  /** Reads that an order served while its queue was long, but not overloaded. */
  ORDER_LONG,
  /**
   * Second copies of late reads sent, including held retries of stock that left as such; in shadow
   * mode: would have been.
   */
  COPIES_SENT,
  /** Second copies whose answer was first and went to the request. */
  COPIES_WON,
  /** Second copies whose answer came after the first copy's, and was dropped. */
  COPIES_WASTED,
  /** Second copies that their replica failed; the first copy decided alone. */
  COPIES_FAILED,
  /** Second copies without an answer: too late, their node died, or Manx went off. */
  COPIES_LOST,
  /** Answers of first copies that came after the second copy's, and were dropped. */
  COPIES_OVERTAKEN,
  /**
   * Times the planner refused the copy of a late read, or to name a replica for one: the budget, or
   * a busy replica.
   */
  COPIES_SUPPRESSED,
  /**
   * Reads that cannot have a second copy although the planner sends copies: served at once by their
   * coordinator, sent to more than one replica, traced, or without another replica in the
   * datacenter.
   */
  COPIES_INELIGIBLE,
  /** Late reads that could not be copied because too many were tracked. */
  COPIES_OVERFLOWED,
  /** Reads that may be passed on: sent with a second replica's name, or waiting at home. */
  COPIES_OFFERED,
  /** Reads that waited here and whose copies were passed on; in shadow mode: would have been. */
  COPIES_PASSED_ON,
  /** Passed-on reads not run here because their copies started first. */
  READS_CEDED,
  /** Passed-on reads that started here first, so that their copies were recalled. */
  COPIES_RECALLED,
  /** Passed-on reads run both here and by the replica that got the copy. */
  COPIES_BOTH_RAN,
  /** Copies of other replicas' reads that started here. */
  COPIES_STARTED,
  /** Copies of other replicas' reads that were recalled before they started here. */
  COPIES_CANCELLED,
  /** Reads that waited at their coordinator, as planned; in shadow mode: would have waited. */
  READS_HELD,
  /** Held reads that left early: Manx went off, or to another strategy. */
  HOLDS_CUT,
  /**
   * Held reads that were not sent, apart from spared retries: their request had ended, or Cassandra
   * had given them up.
   */
  HOLDS_DROPPED,
  /** Reads whose planned wait exceeded a quarter of the time until they expire. */
  HOLDS_SHORTENED,
  /** Reads sent at the end of their longest hold although none of their nodes was open. */
  HOLDS_OVERDUE,
  /** Reads whose planned wait was negative; they were sent at once. */
  HOLDS_REFUSED,
  /** Reads sent at once because too many were held. */
  HOLDS_OVERFLOWED,
  /**
   * Speculative retries of stock that waited at their coordinator, since their first replica works.
   */
  RETRIES_HELD,
  /** Of these, retries that were never sent, because their read was answered. */
  RETRIES_SPARED,
  /** Sizes learnt by the size oracle from answers. */
  SIZES_LEARNED_FROM_READS,
  /** Sizes learnt by the size oracle from writes. */
  SIZES_LEARNED_FROM_WRITES,
  /** Lines written to the decision log: plans, dispatches, answers. */
  DECISIONS_RECORDED,
  /** Sampled lines that were not written: the log or its buffer was full, or the queue too long. */
  DECISIONS_NOT_RECORDED,
  /** Times the decision log ended because it could not be written. */
  RECORD_FAILURES,
  /** Throwables of Manx's own code; each led to the stock decision. */
  FAULTS,
  /** Policies switched off because a call of them did not return. */
  POLICIES_STUCK,
  /** Times the breaker opened. */
  BREAKER_OPENED,
  /** Times an open breaker allowed a retry. */
  BREAKER_HALF_OPENED,
  /** Metrics that Cassandra's registry did not register or did not remove. */
  METRICS_FAILED;

  /** The name in tables. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name in Cassandra's registry of metrics, in that registry's notation. */
  public String metricName() {
    StringBuilder name = new StringBuilder();
    for (String word : name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
