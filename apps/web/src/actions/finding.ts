import type { LinkProps } from '@tanstack/react-router';
import type { IdentificationResult } from '#libs/agents/vocabulary';
import type { NewAlert } from '../api/alerts.js';
import type { AgentRecord } from '../api/catalog-queries.js';
import type { Range } from '../range/range.js';
import type { Requests } from '../rules/agent-response.js';

export type FindingLink = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** Something noteworthy about a visitor or the site, with the actions it leads to. */
export interface Finding {
  /** One line, such as "GPTBot visits rose from 146 to 280". */
  title: string;
  /** Facts for the copied summary, such as `['Verdict', 'Failed verification']`. */
  facts: readonly (readonly [label: string, value: string])[];
  range: Range;
  timeZone: string;
  /** Visits that the finding is about. */
  visits?: FindingLink;
  /** Agent that policy rules and alerts apply to. Omit it for visitors that match no agent in the catalog. */
  agent?: FindingAgent;
  /** Network that the finding is about, in CIDR notation. A rule can block it. */
  network?: string;
  /** Result that the finding is about. Rules only apply to visits with this result. Default: all visits. */
  result?: UntrustedResult;
  /** Kind of alert that reports this finding when it happens again. */
  alertKind?: NewAlert['kind'];
  /** Requests that a rule can block, best choice first. Default: those of the network, or else those of the agent. */
  blockChoices?: readonly BlockChoice[];
  /** User agent group that an administrator can add to the catalog. */
  userAgentGroup?: string;
}

export interface FindingAgent {
  id: string;
  /** Null if the agent is no longer in the catalog, so rules can't apply to it. */
  token: string | null;
  type?: string | null;
  operator?: string | null;
}

/** Visitors that a new rule applies to: an agent, optionally only with one result, or a network. */
export type RuleTarget =
  | {
      token: string;
      type?: FindingAgent['type'];
      result?: UntrustedResult | undefined;
      /** Agent to add to the catalog, so that rules can apply to it. */
      newAgent?: AgentRecord;
      network?: never;
    }
  | { network: string; token?: never; newAgent?: never };

export interface BlockChoice {
  /** Label such as "Only impostors (211 visits)". */
  label: string;
  target: RuleTarget;
}

/** Result of a visit that isn't proven to be by the agent. */
export type UntrustedResult = Extract<IdentificationResult, 'verification_failed' | 'not_verifiable'>;

/** Returns the result if it's untrusted, so findings can limit rules to it. */
export const toUntrusted = (result: string | undefined): { result?: UntrustedResult } =>
  result === 'verification_failed' || result === 'not_verifiable' ? { result } : {};

/** Returns the requests that a finding is about. */
export const toRequests = ({ agent, network, result }: Pick<Finding, 'agent' | 'network' | 'result'>): Requests => ({
  agent_token: agent?.token ?? null,
  agent_type_name: agent?.type ?? null,
  operator_name: agent?.operator ?? null,
  ...(network !== undefined && { network }),
  ...(result !== undefined && { results: [result] }),
});

/** Returns a summary as plain text, for issue trackers and chats. */
export function toTicket(
  { title, facts, range, timeZone }: Pick<Finding, 'title' | 'facts' | 'range' | 'timeZone'>,
  { project, url, now }: { project: string; url: string | null; now: number },
): string {
  const format = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  // Ranges that end now include the rest of the quarter hour.
  const end = new Date(Math.min(Date.parse(range.to), now));
  const lines = [
    ['Project', project],
    ...facts.filter(([, value]) => value !== ''),
    ['Time range', `${format.formatRange(new Date(range.from), end)} (${timeZone})`],
    ...(url === null ? [] : [['Details', url]]),
  ];
  return [title, '', ...lines.map(([label, value]) => `${label}: ${value}`)].join('\n');
}
