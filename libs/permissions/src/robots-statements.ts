import { CRAWL_PURPOSES, type CrawlPurpose } from '#libs/agents/vocabulary';
import {
  AgentRules,
  ANY_AGENT,
  findGroups,
  findPurposeGroups,
  parseRobotsFile,
  parseRobotsUsage,
  PURPOSE_TOKENS,
  type RobotsFile,
  type RobotsUsage,
  type SignalUse,
} from '#libs/robots';
import type { PermissionOutcome as Outcome } from '#libs/contracts';
import { SIGNAL_NAMES, USAGE_LABELS } from './mechanisms.js';
import type { Audience, Statement } from './statement.js';

/** Path that stands for pages without rules of their own. Rules for single paths rarely start like this. */
export const ANY_PAGE = '/00000000-any-page';
/** Maximum number of characters to compare per decision. Files are untrusted. */
const MAX_STEPS = 1_000_000;
/**
 * Maximum number of statements with the same effect on an audience. Further ones don't change the outcome, and a group can
 * have many lines and many audiences.
 */
const MAX_SAME_STATEMENTS = 10;
const MAX_TEXT_LENGTH = 200;

/** Catalog agent that fetches pages for one of the purposes. */
export interface PermissionAgent {
  agentToken: string;
  /** Null if the agent follows the group for all agents. */
  robotsToken: string | null;
  purpose: CrawlPurpose;
}

export interface RobotsResponse {
  /** Null if there is no file. */
  text: string | null;
  /** Whether the host responds with an error, so that agents must not fetch anything (RFC 9309, section 2.3.1.4). */
  isUnreachable: boolean;
}

interface RobotsStatements {
  statements: Statement[];
  audiences: Record<CrawlPurpose, Audience[]>;
}

export const PURPOSES = Object.keys(CRAWL_PURPOSES) as CrawlPurpose[];

/**
 * Uses that `use=` in a Content-Signal permits: `immediate` stores nothing, `reference` indexes and links, and `full`
 * includes everything. `reference` doesn't determine whether answers may contain excerpts.
 */
const SIGNAL_USE_OUTCOMES: Record<SignalUse, Partial<Record<CrawlPurpose, Outcome>>> = {
  immediate: { training: 'disallowed', search: 'disallowed', user: 'allowed' },
  reference: { training: 'disallowed', search: 'allowed' },
  full: { training: 'allowed', search: 'allowed', user: 'allowed' },
};

/**
 * Returns the statements in a robots.txt about pages without rules of their own.
 *
 * @param robots Null if it isn't known.
 */
export function readRobotsStatements(
  robots: RobotsResponse | null,
  agents: readonly PermissionAgent[],
): RobotsStatements {
  const bytes = new TextEncoder().encode(robots?.text ?? '');
  const file = parseRobotsFile(bytes, Infinity);
  const usage = parseRobotsUsage(bytes, Infinity);
  const audiences = Object.fromEntries(
    PURPOSES.map((purpose) => [
      purpose,
      groupAgents(
        file,
        agents.filter((agent) => agent.purpose === purpose),
      ),
    ]),
  ) as Record<CrawlPurpose, Audience[]>;
  const statements = PURPOSES.flatMap((purpose) =>
    audiences[purpose].flatMap(({ key }) => [
      ...(robots === null
        ? []
        : [robots.isUnreachable ? createUnreachable(purpose, key) : readRules(file, purpose, key)]),
      ...limitStatements([...readSignals(usage, purpose, key), ...readUsage(usage, purpose, key)]),
    ]),
  );
  return { statements: [...statements, ...readPurposeTokens(file)], audiences };
}

/** Drops further statements with the same effect on an audience. */
const limitStatements = (statements: readonly Statement[]): Statement[] =>
  [...Map.groupBy(statements, ({ mechanism, outcome }) => `${mechanism} ${outcome}`).values()].flatMap((same) =>
    same.slice(0, MAX_SAME_STATEMENTS),
  );

function groupAgents({ byName }: RobotsFile, agents: readonly PermissionAgent[]): Audience[] {
  const groups = Map.groupBy(agents, ({ robotsToken }) => {
    const key = robotsToken?.toLowerCase() ?? ANY_AGENT;
    return byName.has(key) ? key : ANY_AGENT;
  });
  return [...groups].map(([key, members]) => ({ key, agents: members.map(({ agentToken }) => agentToken) }));
}

const createUnreachable = (purpose: CrawlPurpose, audience: string): Statement => ({
  purpose,
  mechanism: 'robots_rules',
  outcome: 'disallowed',
  audience,
  isExplicit: true,
  text: 'The host responds with an error',
  line: null,
});

function readRules(file: RobotsFile, purpose: CrawlPurpose, audience: string): Statement {
  const decision = new AgentRules(findGroups(file, audience)).find(ANY_PAGE, MAX_STEPS);
  const base = { purpose, mechanism: 'robots_rules', audience } as const;
  if (decision == null) return { ...base, outcome: 'allowed', isExplicit: false, text: 'No rule', line: null };
  const { text, line, isAllow } = decision.rule;
  return {
    ...base,
    outcome: isAllow ? 'allowed' : 'disallowed',
    // `Allow: /` for everyone only repeats the default.
    isExplicit: !isAllow || audience !== ANY_AGENT,
    text: shorten(text),
    line,
  };
}

function readSignals(usage: RobotsUsage, purpose: CrawlPurpose, audience: string): Statement[] {
  return usage.findSignals(audience).flatMap(({ preferences, use, text, line }) => {
    const base = {
      purpose,
      mechanism: 'content_signal',
      audience,
      isExplicit: true,
      text: shorten(text),
      line,
    } as const;
    const preference = preferences.find(({ name }) => name === SIGNAL_NAMES[purpose]);
    const outcomes = [preference && toOutcome(preference.isAllowed), use && SIGNAL_USE_OUTCOMES[use][purpose]];
    return outcomes.flatMap((outcome) => (outcome == null ? [] : { ...base, outcome }));
  });
}

function readUsage(usage: RobotsUsage, purpose: CrawlPurpose, audience: string): Statement[] {
  return usage.findRules(audience, ANY_PAGE).flatMap(({ preferences, text, line }) => {
    const preference = preferences.find(({ name }) => name === USAGE_LABELS[purpose]);
    if (preference === undefined) return [];
    const outcome = toOutcome(preference.isAllowed);
    return { purpose, mechanism: 'content_usage', outcome, audience, isExplicit: true, text: shorten(text), line };
  });
}

function readPurposeTokens(file: RobotsFile): Statement[] {
  return PURPOSE_TOKENS.flatMap(({ token, purpose }) => {
    const rule = new AgentRules(findPurposeGroups(file, token)).find(ANY_PAGE, MAX_STEPS)?.rule;
    if (rule === undefined) return [];
    const { isAllow, line } = rule;
    const text = shorten(`User-agent: ${token}, ${rule.text}`);
    return {
      purpose,
      mechanism: 'purpose_token',
      outcome: toOutcome(isAllow),
      audience: null,
      isExplicit: true,
      text,
      line,
    };
  });
}

export const toOutcome = (isAllowed: boolean): Outcome => (isAllowed ? 'allowed' : 'disallowed');

export const shorten = (text: string): string =>
  text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1).toWellFormed()}…`;
