import type { CrawlPurpose } from '#libs/agents/vocabulary';
import { parseContentUsage } from '#libs/robots';
import type { PermissionAnswer, PermissionMechanism as Mechanism, PermissionOutcome as Outcome } from '#libs/contracts';
import { USAGE_LABELS } from './mechanisms.js';
import { PURPOSES, shorten, toOutcome, type PermissionAgent } from './robots-statements.js';
import type { Audience, Statement } from './statement.js';
import { parseXRobotsTag } from './x-robots-tag.js';

/** Visit of an agent, excluding requests for /robots.txt and visits that failed verification. */
export interface ObservedVisit extends PermissionAgent {
  id: string;
  /** Path without the query string. */
  path: string;
  status: number | null;
  isChallenge: boolean;
  /** Whether robots.txt disallowed the visit. */
  isDisallowed: boolean;
  contentUsage: string | null;
  /** `X-Robots-Tag` headers. */
  xRobotsTags: readonly string[];
}

/** Statement with the visits that show it. */
export interface ObservedStatement extends Statement {
  visits: ObservedVisit[];
}

/** Minimum number of an agent's visits, so that single errors don't count. */
const MIN_VISITS = 3;
/** Minimum share of pages or visits. Headers and refusals of fewer pages are exceptions, which don't contradict. */
const MIN_SHARE = 0.5;

export function classifyAnswer({
  status,
  isChallenge,
}: Pick<ObservedVisit, 'status' | 'isChallenge'>): PermissionAnswer {
  if (isChallenge) return 'challenged';
  if (status === 402) return 'payment_required';
  if (status === 401 || status === 403 || status === 451) return 'refused';
  if (status === 429) return 'slowed';
  return status !== null && status >= 200 && status < 400 ? 'served' : 'other';
}

const ANSWER_OUTCOMES: Partial<Record<PermissionAnswer, Outcome>> = {
  served: 'allowed',
  payment_required: 'conditional',
  refused: 'disallowed',
  challenged: 'disallowed',
};

/**
 * Returns the answers that at least half of an agent's requests got that robots.txt doesn't disallow.
 *
 * @param audiences Audiences by purpose.
 */
export function readAnswers(
  visits: readonly ObservedVisit[],
  audiences: Record<CrawlPurpose, readonly Audience[]>,
): ObservedStatement[] {
  const allowed = visits.filter(({ isDisallowed }) => !isDisallowed);
  return [...Map.groupBy(allowed, ({ agentToken }) => agentToken)].flatMap(([agent, group]) => {
    if (group.length < MIN_VISITS) return [];
    const { purpose } = group[0]!;
    const audience = audiences[purpose].find(({ agents }) => agents.includes(agent))?.key;
    if (audience === undefined) return [];
    const outcomes = Map.groupBy(group, (visit) => ANSWER_OUTCOMES[classifyAnswer(visit)] ?? null);
    const base = { purpose, mechanism: 'served', audience, isExplicit: false, line: null } as const;
    return [...outcomes].flatMap(([outcome, matching]) => {
      if (outcome === null || matching.length < MIN_SHARE * group.length) return [];
      const text = `${agent}: status ${matching[0]!.status ?? 'unknown'}`;
      return { ...base, outcome, text: shorten(text), visits: matching };
    });
  });
}

/** Returns the statements that headers make about at least half of the pages that were served to agents. */
export function readHeaders(visits: readonly ObservedVisit[]): ObservedStatement[] {
  const served = visits.filter((visit) => classifyAnswer(visit) === 'served');
  const pages = new Set(served.map(({ path }) => path)).size;
  const found = new Map<string, ObservedStatement & { paths: Set<string> }>();
  const add = (visit: ObservedVisit, mechanism: Mechanism, purpose: CrawlPurpose, outcome: Outcome, text: string) => {
    const key = `${mechanism} ${purpose} ${outcome}`;
    const statement = found.get(key) ?? {
      purpose,
      mechanism,
      outcome,
      audience: null,
      isExplicit: true,
      text: shorten(text),
      line: null,
      visits: [],
      paths: new Set<string>(),
    };
    found.set(key, statement);
    if (statement.visits.at(-1) !== visit) statement.visits.push(visit);
    statement.paths.add(visit.path);
  };
  for (const visit of served) {
    for (const tag of visit.xRobotsTags) {
      for (const { purpose, outcome } of parseXRobotsTag(tag, visit.robotsToken)) {
        add(visit, 'x_robots_tag', purpose, outcome, `X-Robots-Tag: ${tag}`);
      }
    }
    const preferences = visit.contentUsage === null ? [] : parseContentUsage(visit.contentUsage);
    for (const purpose of PURPOSES) {
      const preference = preferences.find(({ name }) => name === USAGE_LABELS[purpose]);
      if (preference === undefined) continue;
      add(
        visit,
        'content_usage_header',
        purpose,
        toOutcome(preference.isAllowed),
        `Content-Usage: ${visit.contentUsage}`,
      );
    }
  }
  return [...found.values()].filter(({ paths }) => paths.size >= MIN_SHARE * pages);
}
