import type { CheckoutProtocol, CheckoutState, EnrichedVisit } from '#libs/contracts';

/** Name of a dimension and a value in it. Visits are counted by dimensions, in addition to agent, page and status. */
export type Dimension = readonly [name: string, value: string];

/** A checkout as one visit reports it. Nothing else of the body is stored in addition to the visit. */
export interface Checkout {
  /** 128 bits of a digest of project, protocol and ID, written as a UUID. */
  digest: string;
  protocol: CheckoutProtocol;
  state: CheckoutState;
  /** ISO 4217, in capitals, or null if there is none. */
  currency: string | null;
  /** In minor units of the currency, or null if there is none. */
  total: number | null;
}

/** A visit to store. Its texts are {@link wellFormedText}. */
export interface VisitRow {
  id: string;
  projectId: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  agentId: string | null;
  agentType: string | null;
  operator: string | null;
  result: string;
  path: string;
  /** The path without its query, for the counts of pages. */
  page: string;
  status: number | null;
  mcpTool: string | null;
  kinds: number;
  /** Positions in lists of verdicts, from 1. */
  robots: number | null;
  automation: number | null;
  /** Number of its user agent's group, or null if the visitor doesn't look like a program. */
  userAgentGroup: number | null;
  assistant: string | null;
  /** Whether the visit is only counted: then only its ID is stored. */
  isCounted: boolean;
  document: EnrichedVisit;
  dimensions: readonly Dimension[];
  checkouts: readonly Checkout[];
}

/** Values that visits are counted by. */
export type CountedValues = Pick<
  VisitRow,
  'projectId' | 'occurredAt' | 'agentId' | 'agentType' | 'result' | 'page' | 'status' | 'dimensions'
>;
