import { Injectable } from '@nestjs/common';
import {
  COMPLIANCE_DIMENSIONS,
  dimensionParts,
  isUserTriggered,
  MAX_COMPLIANCE_ROWS,
  MAX_LISTED_OF_AGENT,
  MAX_COMPARED_VISITS,
  type Compliance,
  type ComplianceAgent,
  type Disregarded,
  type PaidCrawlOutcome,
  type RobotsVerdict,
  type StatusGroup,
} from '#libs/contracts';
import {
  ComplianceRepository,
  type DimensionCount,
  type DimensionSpan,
  DimensionsRepository,
  type DisallowedTimes,
  type Snapshot,
} from '#libs/visit-store';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { RobotsLinesRepository } from './robots-lines.repository.js';
import { AgentNamesRepository } from '../statistics/agent-names.repository.js';
import type { TimeRange } from '../statistics/time-range.js';

const DAY_MS = 86_400_000;

type Names = Pick<ComplianceAgent, 'agent_token' | 'agent_type_name' | 'operator_name' | 'is_user_triggered'>;
type Agent = Omit<ComplianceAgent, keyof Names>;

/** Agent ID, robots.txt verdict, identification result, status group. */
type Judged = [string, RobotsVerdict, string, StatusGroup];
type Count<Parts extends readonly string[], T = DimensionCount> = Omit<T, 'value'> & { parts: Parts };

@Injectable()
export class ComplianceService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    private readonly visits: ComplianceRepository,
    private readonly lines: RobotsLinesRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  report(projectId: string, range: TimeRange): Promise<Compliance> {
    return this.reading.read(async (snapshot) => {
      const counts = async <Parts extends readonly string[]>(dimension: string): Promise<Count<Parts>[]> =>
        partsOf(await this.dimensions.sums(snapshot, projectId, range, dimension));
      const judged = await this.dimensions.spans(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.judged);
      const times = await this.visits.disallowedTimes(snapshot, projectId, range);
      // Start a day earlier, so fetches before the range that apply to its visits are included.
      const before = { from: range.from - DAY_MS, to: range.to };
      const fetches = await this.dimensions.spans(snapshot, projectId, before, COMPLIANCE_DIMENSIONS.robotsFetches);
      const agents = agentsOf(partsOf<Judged, DimensionSpan>(judged), new Map(times.map((of) => [of.agent_id, of])));
      addFetches(agents, fetches);
      const files = filesOf(await counts<[string, StatusGroup, string]>(COMPLIANCE_DIMENSIONS.files));
      const paid = (await counts<[string, PaidCrawlOutcome, string]>(COMPLIANCE_DIMENSIONS.paidCrawl)).map(
        ({ parts: [agent_id, outcome, detail], visits }) => ({ agent_id, outcome, detail, visits }),
      );
      const named = await this.namer(snapshot, projectId, [...agents.values(), ...files, ...paid]);
      const all = [...agents.values()].map(named).toSorted(byDisallowed);
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        totals: totalsOf(all, judged.find(({ value }) => value === '')?.visits ?? 0),
        agents: all,
        files: files.slice(0, MAX_COMPLIANCE_ROWS).map(named),
        paid_crawl: paid.slice(0, MAX_COMPLIANCE_ROWS).map(named),
        is_sampled: (times[0]?.read ?? 0) > MAX_COMPARED_VISITS,
      };
    });
  }

  /**
   * Returns the robots.txt lines that an agent disregarded and the disallowed paths that it fetched, most frequent
   * first.
   */
  disregarded(projectId: string, agentId: string, range: TimeRange): Promise<Disregarded> {
    return this.reading.read(async (snapshot) => {
      const ofAgent = async <Parts extends readonly string[]>(dimension: string): Promise<Count<Parts>[]> => {
        const sums = await this.dimensions.sums(snapshot, projectId, range, dimension, agentId.toLowerCase());
        return partsOf<Parts>(sums).slice(0, MAX_LISTED_OF_AGENT);
      };
      const lines = (await ofAgent<[string, string, string]>(COMPLIANCE_DIMENSIONS.lines)).map(
        ({ parts: [, version, line], visits }) => ({ version, line: Number(line), visits }),
      );
      const paths = await ofAgent<[string, string]>(COMPLIANCE_DIMENSIONS.pages);
      const texts = await this.lines.find(projectId, lines);
      return {
        lines: lines.map((line, index) => ({ ...line, text: texts[index] ?? null })),
        paths: paths.map(({ parts: [, path], visits }) => ({ path, visits })),
      };
    });
  }

  private async namer(snapshot: Snapshot, projectId: string, rows: readonly { agent_id: string }[]) {
    const ids = [...new Set(rows.map(({ agent_id: id }) => id))];
    const nameOf = await this.names.find(snapshot, projectId, ids);
    return <T extends { agent_id: string }>(row: T): T & Names => {
      const { agent_token, agent_type_name, operator_name } = nameOf(row.agent_id);
      const is_user_triggered = isUserTriggered(agent_type_name);
      return { ...row, agent_token, agent_type_name, operator_name, is_user_triggered };
    };
  }
}

/** Splits values into their parts. Drops the sum of the values over the limit, whose value is empty. */
const partsOf = <Parts extends readonly string[], T extends DimensionCount = DimensionCount>(
  sums: readonly T[],
): Count<Parts, T>[] =>
  sums
    .filter(({ value }) => value !== '')
    .map(({ value, ...sum }) => ({ ...sum, parts: dimensionParts(value) as unknown as Parts }));

/**
 * Sums up the counts of each agent.
 *
 * @param times times of the newest disallowed visits and of robots.txt fetches, by agent ID.
 */
function agentsOf(
  counts: readonly Count<Judged, DimensionSpan>[],
  times: ReadonlyMap<string, DisallowedTimes>,
): Map<string, Agent> {
  const agents = new Map<string, Agent>();
  for (const { parts, visits, first_at: first, last_at: last } of counts) {
    const [id, verdict, result, status] = parts;
    if (!agents.has(id)) agents.set(id, { ...NO_VISITS, agent_id: id });
    const agent = agents.get(id)!;
    const isDisallowed = verdict === 'disallowed';
    if (result === 'verification_failed') {
      agent.spoofed += visits;
      if (isDisallowed) agent.spoofed_disallowed += visits;
      continue;
    }
    if (Object.hasOwn(agent, verdict)) agent[verdict] += visits;
    if (isDisallowed) {
      if (result === 'verified') agent.disallowed_verified += visits;
      if (status === 'served') agent.disallowed_served += visits;
      if (status === '403') agent.disallowed_forbidden += visits;
      agent.first_disallowed_at = earlier(agent.first_disallowed_at, first.toISOString());
      agent.last_disallowed_at = later(agent.last_disallowed_at, last.toISOString());
    } else if (status === '403' && (verdict === 'allowed' || verdict === 'no_rules')) agent.allowed_forbidden += visits;
  }
  for (const [id, agent] of agents) {
    const known = times.get(id);
    if (known === undefined) continue;
    // Only the newest visits are read. They always include the last disallowed visit, but the first one only if all
    // were read.
    if (known.visits >= agent.disallowed) agent.first_disallowed_at = known.first_at?.toISOString() ?? null;
    if (known.last_at !== null) agent.last_disallowed_at = known.last_at.toISOString();
    agent.last_robots_fetch_at = known.last_fetch_at?.toISOString() ?? null;
    agent.read_before = { visits: known.read_before, of: known.judged };
  }
  return agents;
}

/** Fills in the time of the last robots.txt fetch from the counts, if it is still unknown. */
function addFetches(agents: ReadonlyMap<string, Agent>, fetches: readonly DimensionSpan[]): void {
  for (const { value: id, last_at: last } of fetches) {
    const agent = agents.get(id);
    if (agent !== undefined) agent.last_robots_fetch_at ??= last.toISOString();
  }
}

const NO_VISITS = {
  allowed: 0,
  disallowed: 0,
  no_rules: 0,
  unreachable: 0,
  unknown: 0,
  disallowed_verified: 0,
  disallowed_served: 0,
  disallowed_forbidden: 0,
  allowed_forbidden: 0,
  spoofed: 0,
  spoofed_disallowed: 0,
  first_disallowed_at: null,
  last_disallowed_at: null,
  last_robots_fetch_at: null,
  read_before: { visits: 0, of: 0 },
};

/** ISO 8601 times in UTC sort alphabetically. */
const earlier = (one: string | null, other: string): string => (one !== null && one < other ? one : other);
const later = (one: string | null, other: string): string => (one !== null && one > other ? one : other);

type FileCount = Omit<Compliance['files'][number], keyof Names>;

function filesOf(counts: readonly Count<[string, StatusGroup, string]>[]): FileCount[] {
  const files = new Map<string, FileCount>();
  for (const {
    parts: [id, status, path],
    visits,
  } of counts) {
    const key = `${id} ${path}`;
    if (!files.has(key)) files.set(key, { agent_id: id, path, visits: 0, served: 0, failed: 0 });
    const file = files.get(key)!;
    file.visits += visits;
    if (status === 'served') file.served += visits;
    else if (status !== 'none') file.failed += visits;
  }
  return [...files.values()].toSorted((one, other) => other.visits - one.visits);
}

const SUMMED = [
  'allowed',
  'disallowed',
  'no_rules',
  'unreachable',
  'unknown',
  'disallowed_served',
  'disallowed_forbidden',
  'allowed_forbidden',
] as const;

/** @param other number of visits by unknown agents. */
function totalsOf(agents: readonly ComplianceAgent[], other: number): Compliance['totals'] {
  const sum = (of: readonly ComplianceAgent[], numberOf: (agent: ComplianceAgent) => number): number =>
    of.reduce((total, agent) => total + numberOf(agent), 0);
  const bound = agents.filter((agent) => !agent.is_user_triggered);
  const userTriggered = agents.filter((agent) => agent.is_user_triggered);
  return {
    ...(Object.fromEntries(SUMMED.map((name) => [name, sum(bound, (agent) => agent[name])])) as Record<
      (typeof SUMMED)[number],
      number
    >),
    disallowing_agents: bound.filter(({ disallowed }) => disallowed > 0).length,
    user_triggered: sum(userTriggered, visitsOf),
    user_triggered_disallowed: sum(userTriggered, ({ disallowed }) => disallowed),
    spoofed: sum(agents, ({ spoofed }) => spoofed),
    spoofed_disallowed: sum(agents, ({ spoofed_disallowed: disallowed }) => disallowed),
    other,
  };
}

const visitsOf = ({ allowed, disallowed, no_rules, unreachable, unknown }: ComplianceAgent): number =>
  allowed + disallowed + no_rules + unreachable + unknown;

const byDisallowed = (one: ComplianceAgent, other: ComplianceAgent): number =>
  other.disallowed - one.disallowed || visitsOf(other) - visitsOf(one);
