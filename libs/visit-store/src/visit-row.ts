import type { CheckoutProtocol, CheckoutState, EnrichedVisit } from '#libs/contracts';

/** A dimension's name and value. Visits are counted by dimension, and also by agent, page and status. */
export type Dimension = readonly [name: string, value: string];

/**
 * A checkout as reported by one visit. No other data from the request or response body is stored, except in the visit
 * itself.
 */
export interface Checkout {
  /** 128-bit digest of the project, protocol and checkout ID, formatted as a UUID. */
  digest: string;
  protocol: CheckoutProtocol;
  state: CheckoutState;
  /** Uppercase ISO 4217 code, or null if unknown. */
  currency: string | null;
  /** Total in the currency's minor units, or null if unknown. */
  total: number | null;
}

/** A visit to store. All text has passed through {@link wellFormedText}. */
export interface VisitRow {
  id: string;
  projectId: string;
  /** Time of the visit, in milliseconds since the epoch. */
  occurredAt: number;
  agentId: string | null;
  agentType: string | null;
  operator: string | null;
  result: string;
  path: string;
  /** Page that the path leads to, as returned by `getPage`. Pages are counted by this value. */
  page: string;
  status: number | null;
  /** Response size. */
  responseBytes: number | null;
  /** Response time in microseconds. */
  responseUs: number | null;
  /** Set of `RESPONSE_FLAGS`, or null if there are none. */
  responseFlags: number | null;
  mcpTool: string | null;
  kinds: number;
  /** One-based index in the list of verdicts. */
  robots: number | null;
  automation: number | null;
  /** Number of the user agent's group, or null if the visitor doesn't look like a program. */
  userAgentGroup: number | null;
  assistant: string | null;
  /** Decisions of the policy, as in the response header. */
  decisions: string | null;
  /** True if only the visit's ID is stored and the rest is only counted. */
  isCounted: boolean;
  document: EnrichedVisit;
  dimensions: readonly Dimension[];
  checkouts: readonly Checkout[];
}

export type CountedValues = Pick<
  VisitRow,
  'projectId' | 'occurredAt' | 'agentId' | 'agentType' | 'result' | 'path' | 'page' | 'status' | 'dimensions'
>;
