import type { CrawlPurpose } from '#libs/agents/vocabulary';
import { findLicenseOutcome } from './license-outcome.js';
import {
  PERMISSION_ANSWERS,
  PERMISSION_MECHANISMS,
  PERMISSION_OUTCOMES,
  type PermissionAnswer,
  type PermissionMechanism as Mechanism,
  type PermissionOutcome as Outcome,
} from '#libs/contracts';
import { mostRestrictive } from './mechanisms.js';
import {
  classifyAnswer,
  readAnswers,
  readHeaders,
  type ObservedStatement,
  type ObservedVisit,
} from './observed-statements.js';
import {
  ANY_PAGE,
  PURPOSES,
  readRobotsStatements,
  shorten,
  type PermissionAgent,
  type RobotsResponse,
} from './robots-statements.js';
import type { LicensedContent } from './rsl-license.js';
import type { Audience, Statement } from './statement.js';

export interface PermissionSources {
  /** Host whose pages the statements are about. */
  host: string;
  /** Null if it isn't known. */
  robots: RobotsResponse | null;
  /** Valid licenses that robots.txt links to. */
  licenses: readonly { url: string; contents: readonly LicensedContent[] }[];
  agents: readonly PermissionAgent[];
  /** Sample of visits, newest first. */
  visits: readonly ObservedVisit[];
}

/** Outcome of several audiences, which is `mixed` if they have different ones, or null if nothing is stated. */
type CombinedOutcome = Outcome | 'mixed' | null;

interface Cell {
  mechanism: Mechanism;
  outcome: CombinedOutcome;
  statements: Statement[];
}

export interface PurposeRow {
  purpose: CrawlPurpose;
  /** Most restrictive outcome of all mechanisms. */
  outcome: CombinedOutcome;
  cells: Cell[];
  /** Number of visits by answer. */
  answers: Record<PermissionAnswer, number>;
}

/** Explicit permission that a more restrictive statement overrides. */
export interface Contradiction {
  purpose: CrawlPurpose;
  mechanism: Mechanism;
  /** Statements that grant the permission, without duplicates. */
  permissions: Statement[];
  /** More restrictive statements, without duplicates. */
  restrictions: Statement[];
  /** Catalog agents that both apply to. */
  agents: string[];
  /** Visits that show it, newest first: those that were refused or have the header, or else any by these agents. */
  visits: ObservedVisit[];
}

/** Contents of a contradiction while it is collected. */
interface ContradictionSets {
  permissions: Set<Statement>;
  restrictions: Set<Statement>;
  agents: Set<string>;
}

export interface PermissionMatrix {
  rows: PurposeRow[];
  contradictions: Contradiction[];
}

/** Compares all the ways in which a site grants or refuses permission. */
export function createMatrix(sources: PermissionSources): PermissionMatrix {
  const { statements: robots, audiences } = readRobotsStatements(sources.robots, sources.agents);
  const observed = [...readHeaders(sources.visits), ...readAnswers(sources.visits, audiences)];
  const statements = [...robots, ...readLicenses(sources), ...observed];
  return {
    rows: PURPOSES.map((purpose) => {
      const ofPurpose = statements.filter((statement) => statement.purpose === purpose);
      return createRow(purpose, ofPurpose, audiences[purpose], sources.visits);
    }),
    contradictions: PURPOSES.flatMap((purpose) => {
      const ofPurpose = statements.filter((statement) => statement.purpose === purpose);
      return findContradictions(purpose, ofPurpose, audiences[purpose], sources.visits);
    }),
  };
}

const readLicenses = ({ host, licenses }: PermissionSources): Statement[] =>
  licenses.flatMap(({ url, contents }) =>
    PURPOSES.flatMap((purpose) => {
      const outcome = findLicenseOutcome(contents, { host, path: ANY_PAGE, purpose });
      if (outcome === null) return [];
      return {
        purpose,
        mechanism: 'license',
        outcome,
        audience: null,
        isExplicit: true,
        text: shorten(url),
        line: null,
      };
    }),
  );

function createRow(
  purpose: CrawlPurpose,
  statements: readonly Statement[],
  audiences: readonly Audience[],
  visits: readonly ObservedVisit[],
): PurposeRow {
  const cells = PERMISSION_MECHANISMS.map((mechanism) => {
    const own = statements.filter((statement) => statement.mechanism === mechanism);
    return { mechanism, outcome: combine(own, audiences), statements: removeDuplicates(own) };
  });
  const answers = Object.fromEntries(PERMISSION_ANSWERS.map((answer) => [answer, 0])) as Record<
    PermissionAnswer,
    number
  >;
  for (const visit of visits) if (visit.purpose === purpose) answers[classifyAnswer(visit)] += 1;
  // Serving a page doesn't permit its use, and neither does the lack of a rule.
  const stated = statements.filter(({ isExplicit, outcome }) => isExplicit || outcome !== 'allowed');
  return { purpose, outcome: combine(stated, audiences), cells, answers };
}

/** Combines the most restrictive statements of each audience. */
function combine(statements: readonly Statement[], audiences: readonly Audience[]): CombinedOutcome {
  const outcomes = new Set(
    audiences.flatMap(
      ({ key }) =>
        mostRestrictive(statements.filter((statement) => appliesTo(statement, key)).map(({ outcome }) => outcome)) ??
        [],
    ),
  );
  return outcomes.size > 1 ? 'mixed' : ([...outcomes][0] ?? null);
}

const appliesTo = ({ audience }: Statement, key: string): boolean => audience === null || audience === key;

function findContradictions(
  purpose: CrawlPurpose,
  statements: readonly Statement[],
  audiences: readonly Audience[],
  visits: readonly ObservedVisit[],
): Contradiction[] {
  const found = new Map<Mechanism, ContradictionSets>();
  for (const { key, agents } of audiences) {
    const applicable = statements.filter((statement) => appliesTo(statement, key));
    const permissions = applicable.filter(({ outcome }) => outcome === 'allowed');
    // Statements that the same restrictions override.
    const groups = Map.groupBy(permissions, ({ mechanism, isExplicit }) => `${mechanism} ${isExplicit}`);
    for (const group of groups.values()) {
      const [first] = group;
      const restrictions = applicable.filter((statement) => overrides(statement, first!));
      if (restrictions.length === 0) continue;
      const { mechanism } = first!;
      const sets = found.get(mechanism) ?? { permissions: new Set(), restrictions: new Set(), agents: new Set() };
      found.set(mechanism, sets);
      for (const permission of group) sets.permissions.add(permission);
      for (const restriction of restrictions) sets.restrictions.add(restriction);
      for (const agent of findAgents(agents, restrictions)) sets.agents.add(agent);
    }
  }
  return PERMISSION_MECHANISMS.flatMap((mechanism) => {
    const sets = found.get(mechanism);
    if (sets === undefined) return [];
    return {
      purpose,
      mechanism,
      permissions: removeDuplicates([...sets.permissions]),
      restrictions: removeDuplicates([...sets.restrictions]),
      agents: [...sets.agents],
      visits: findVisits(purpose, sets, visits),
    };
  });
}

/** Returns whether a statement overrides an explicit permission. */
function overrides(restriction: Statement, permission: Statement): boolean {
  if (permission.outcome !== 'allowed' || restriction.outcome === 'allowed') return false;
  if (restriction.mechanism !== 'served') return permission.isExplicit;
  // Refused requests contradict the permission to fetch pages, and a price contradicts a free license. Neither says
  // anything about the use of content.
  return permission.mechanism === (restriction.outcome === 'disallowed' ? 'robots_rules' : 'license');
}

/** Returns the agents that were refused, or all of an audience if the restriction applies to them all. */
function findAgents(agents: readonly string[], restrictions: readonly Statement[]): readonly string[] {
  if (restrictions.some(({ mechanism }) => mechanism !== 'served')) return agents;
  const refused = new Set(
    restrictions.flatMap((statement) => getVisits(statement).map(({ agentToken }) => agentToken)),
  );
  return agents.filter((agent) => refused.has(agent));
}

const getVisits = (statement: Statement | ObservedStatement): ObservedVisit[] =>
  'visits' in statement ? statement.visits : [];

function findVisits(
  purpose: CrawlPurpose,
  { permissions, restrictions, agents }: ContradictionSets,
  visits: readonly ObservedVisit[],
): ObservedVisit[] {
  const shown = new Set([...restrictions, ...permissions].flatMap(getVisits));
  const all = visits.filter((visit) => visit.purpose === purpose && agents.has(visit.agentToken));
  const matching = all.filter((visit) => shown.has(visit));
  if (matching.length > 0) return matching;
  return shown.size > 0 ? [...shown] : all;
}

/** Removes statements that other audiences get from the same line. Sorts them by restrictiveness. */
function removeDuplicates(statements: readonly Statement[]): Statement[] {
  const byText = new Map(
    statements.map((statement) => [`${statement.outcome} ${statement.line} ${statement.text}`, statement]),
  );
  return [...byText.values()].toSorted(
    (one, other) => PERMISSION_OUTCOMES.indexOf(other.outcome) - PERMISSION_OUTCOMES.indexOf(one.outcome),
  );
}
