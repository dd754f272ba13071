import type { CheckoutProtocol, CheckoutState, EnrichedVisit } from '#libs/contracts';

/** Name and value of a dimension. Visits are counted by dimensions, in addition to agent, page and status. */
export type Dimension = readonly [name: string, value: string];

/** Checkout as reported by one visit. Apart from the visit itself, nothing else of the body is stored. */
export interface Checkout {
  /** 128 bits of a digest of the project, protocol and checkout ID, as a UUID. */
  digest: string;
  protocol: CheckoutProtocol;
  state: CheckoutState;
  /** Uppercase ISO 4217 code, or null if there is none. */
  currency: string | null;
  /** Total in minor units of the currency, or null if there is none. */
  total: number | null;
}

/** Visit to store. All texts have passed {@link wellFormedText}. */
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
  /** Path without its query, by which pages are counted. */
  page: string;
  status: number | null;
  mcpTool: string | null;
  kinds: number;
  /** One-based positions in the lists of verdicts. */
  robots: number | null;
  automation: number | null;
  /** Number of the user agent's group, or null if the visitor doesn't look like a program. */
  userAgentGroup: number | null;
  assistant: string | null;
  /** True if the visit is only counted. Then only its ID is stored. */
  isCounted: boolean;
  document: EnrichedVisit;
  dimensions: readonly Dimension[];
  checkouts: readonly Checkout[];
}

export type CountedValues = Pick<
  VisitRow,
  'projectId' | 'occurredAt' | 'agentId' | 'agentType' | 'result' | 'page' | 'status' | 'dimensions'
>;
