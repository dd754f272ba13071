import type { RobotsVerdict } from '#libs/contracts';

/** Results of verifying that the client of a fetch is the agent that it claims to be. */
export const IDENTITIES = ['verified', 'claimed', 'spoofed'] as const;
export type Identity = (typeof IDENTITIES)[number];

export type CountsByIdentity = Record<Identity, number>;

/** Subject of a statement. Known before any fetch is read. */
export interface StatementScope {
  operator: string;
  project: { id: string; name: string; hosts: string[] };
  /** First day (UTC), such as 2026-11-01. */
  first_day: string;
  last_day: string;
  includes_addresses: boolean;
  /** Public URL of the instance. */
  instance: string;
  /** API request that returns the fetches. All counts are based on its response. */
  request: string;
}

export interface FetchCounts {
  identity: Identity;
  fetches: number;
  /** Sum of the reported response sizes. Null if none was reported. */
  bytes: number | null;
  /** Number of fetches whose response size was reported. */
  sized_fetches: number;
  distinct_paths: number;
  /** API request that returns these fetches. */
  request: string;
}

export interface AgentCounts extends FetchCounts {
  agent: string;
  agent_type: string;
  /** Names of the purposes. Empty if the catalog lists none. */
  purposes: string[];
}

export interface PurposeCounts extends FetchCounts {
  purposes: string[];
  agents: string[];
}

export interface DayCounts extends CountsByIdentity {
  /** UTC day. */
  day: string;
  /** robots.txt versions in force on any part of the day. */
  robots_versions: string[];
  request: string;
}

export interface VerdictCounts extends CountsByIdentity {
  verdict: RobotsVerdict | 'none';
  request: string;
}

export interface StatementVersion {
  id: string;
  host: string;
  /** SHA-256 of the file in hex. Null if there is no file. */
  sha256: string | null;
  status: number | null;
  /** First time the version was in force. */
  from: string;
  /** End of the version's time in force. Null if it was in force until the end of the statement's range or longer. */
  until: string | null;
  is_recorded: boolean;
  licenses: { line: number; url: string | null; text: string; user_agents: string[] }[];
  preferences: { line: number; text: string; user_agents: string[] }[];
}

export interface DisallowedCounts extends CountsByIdentity {
  version: string;
  host: string | null;
  line: number;
  /** Null if the version was deleted. */
  text: string | null;
  /** Number of these fetches by agents that fetch pages on behalf of a user. */
  user_triggered: number;
}

export interface DisallowedFetch {
  id: string;
  time: string;
  agent: string;
  identity: Identity;
  method: string;
  path: string;
  status: number | null;
  version: string | null;
  line: number | null;
  /** Only in statements with addresses. */
  address?: string | null;
}

export interface AddressCounts extends CountsByIdentity {
  address: string;
}

export const GAP_KINDS = {
  no_visits: 'No visits by anyone were recorded. The site may not have reported its visits.',
  not_stored:
    'Fetches by agents that belong to the operator today were counted, but are not in this statement. They are no longer stored, or were stored under the name of another operator.',
  late: 'Fetches were reported more than 24 hours after they occurred, for example in imported logs.',
  reidentified: 'Fetches were identified again later, with a newer catalog.',
  no_robots: 'No robots.txt version was known for part of the day.',
} as const;

export interface Gap {
  kind: keyof typeof GAP_KINDS;
  first_day: string;
  last_day: string;
  /** Number of affected fetches. Null if it doesn't apply. */
  fetches: number | null;
  host: string | null;
}

export interface Statement {
  scope: StatementScope;
  totals: FetchCounts[];
  purposes: PurposeCounts[];
  agents: AgentCounts[];
  days: DayCounts[];
  verdicts: VerdictCounts[];
  versions: StatementVersion[];
  disallowed: DisallowedCounts[];
  disallowedFetches: DisallowedFetch[];
  /** Total number of disallowed fetches, listed or not. */
  disallowedTotal: number;
  /** Empty in statements without addresses. */
  addresses: AddressCounts[];
  addressesTotal: number;
  gaps: Gap[];
}
