import { Injectable } from '@nestjs/common';
import { TEST_AGENT_ID } from '#libs/catalog';
import {
  COMPLIANCE_DIMENSIONS,
  parseDimension,
  isUserTriggered,
  MAX_LISTED_PER_AGENT,
  type Compliance,
  type ComplianceAgent,
  type Disregarded,
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
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentFilesService } from '../statistics/agent-files.service.js';
import { toFormatCounts } from './formats.js';
import { RobotsLinesRepository } from './robots-lines.repository.js';
import { AgentNamesRepository } from '../statistics/agent-names.repository.js';
import type { TimeRange } from '../statistics/time-range.js';

const DAY_MS = 86_400_000;

type AgentDisplayNames = Pick<
  ComplianceAgent,
  'agent_token' | 'agent_type_name' | 'operator_name' | 'is_user_triggered'
>;
type Agent = Omit<ComplianceAgent, keyof AgentDisplayNames>;

/** Agent ID, robots.txt verdict, identification result and status group. */
type VerdictParts = [string, RobotsVerdict, string, StatusGroup];
type ParsedCount<Parts extends readonly string[], T = DimensionCount> = Omit<T, 'value'> & { parts: Parts };

@Injectable()
export class ComplianceService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    private readonly visits: ComplianceRepository,
    private readonly lines: RobotsLinesRepository,
    private readonly names: AgentNamesRepository,
    private readonly files: AgentFilesService,
  ) {}

  report(projectId: string, range: TimeRange): Promise<Compliance> {
    return this.reading.read(async (snapshot) => {
      const judged = await this.dimensions.spans(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.judged);
      const { agents: times, isSampled } = await this.visits.disallowedTimes(snapshot, projectId, range);
      // A robots.txt fetch applies to visits within 24 hours after it, so include fetches from the day before the
      // range.
      const before = { from: range.from - DAY_MS, to: range.to };
      const fetches = await this.dimensions.spans(snapshot, projectId, before, COMPLIANCE_DIMENSIONS.robotsFetches);
      const agents = sumByAgent(
        splitValues<VerdictParts, DimensionSpan>(judged),
        new Map(times.map((of) => [of.agent_id, of])),
      );
      addFetches(agents, fetches);
      const { files, unknownFiles, refused } = await this.files.count(snapshot, projectId, range);
      const formats = toFormatCounts(
        await this.dimensions.sums(snapshot, projectId, range, COMPLIANCE_DIMENSIONS.formats),
      );
      const named = [...agents.values(), ...files, ...(refused?.agents ?? []), ...formats];
      const addNames = await this.createNamer(snapshot, projectId, named);
      const all = [...agents.values()].map(addNames).toSorted(compareByDisallowed);
      return {
        from: new Date(range.from).toISOString(),
        to: new Date(range.to).toISOString(),
        totals: sumTotals(all, judged.find(({ value }) => value === '')?.visits ?? 0),
        agents: all,
        files: files.map(addNames),
        unknown_files: unknownFiles,
        robots_refused: refused && { ...refused, agents: refused.agents.map(addNames) },
        formats: formats.map(addNames),
        is_sampled: isSampled,
      };
    });
  }

  /**
   * Returns the robots.txt lines that an agent disregarded and the disallowed paths that it fetched, most frequent
   * first.
   */
  findDisregarded(projectId: string, agentId: string, range: TimeRange): Promise<Disregarded> {
    return this.reading.read(async (snapshot) => {
      const sumForAgent = async <Parts extends readonly string[]>(dimension: string): Promise<ParsedCount<Parts>[]> => {
        const sums = await this.dimensions.sums(snapshot, projectId, range, dimension, agentId.toLowerCase());
        return splitValues<Parts>(sums).slice(0, MAX_LISTED_PER_AGENT);
      };
      const lines = (await sumForAgent<[string, string, string]>(COMPLIANCE_DIMENSIONS.lines)).map(
        ({ parts: [, version, line], visits }) => ({ version, line: Number(line), visits }),
      );
      const paths = await sumForAgent<[string, string]>(COMPLIANCE_DIMENSIONS.pages);
      const texts = await this.lines.find(projectId, lines);
      return {
        lines: lines.map((line, index) => ({ ...line, text: texts[index] ?? null })),
        paths: paths.map(({ parts: [, path], visits }) => ({ path, visits })),
      };
    });
  }

  private async createNamer(snapshot: Snapshot, projectId: string, rows: readonly { agent_id: string }[]) {
    const ids = [...new Set(rows.map(({ agent_id: id }) => id))];
    const getNames = await this.names.find(snapshot, projectId, ids);
    return <T extends { agent_id: string }>(row: T): T & AgentDisplayNames => {
      const { agent_token, agent_type_name, operator_name } = getNames(row.agent_id);
      const is_user_triggered = isUserTriggered(agent_type_name);
      return { ...row, agent_token, agent_type_name, operator_name, is_user_triggered };
    };
  }
}

/**
 * Splits values into their parts. Drops the empty value, which combines all visits over the limit on different values.
 */
const splitValues = <Parts extends readonly string[], T extends DimensionCount = DimensionCount>(
  sums: readonly T[],
): ParsedCount<Parts, T>[] =>
  sums
    .filter(({ value }) => value !== '')
    .map(({ value, ...sum }) => ({ ...sum, parts: parseDimension(value) as unknown as Parts }));

/**
 * Sums each agent's counts.
 *
 * @param times Times of the newest disallowed visits and of robots.txt fetches, by agent ID.
 */
function sumByAgent(
  counts: readonly ParsedCount<VerdictParts, DimensionSpan>[],
  times: ReadonlyMap<string, DisallowedTimes>,
): Map<string, Agent> {
  const agents = new Map<string, Agent>();
  for (const { parts, visits, first_at: first, last_at: last } of counts) {
    const [id, verdict, result, status] = parts;
    // It only visits when the project's owner tries something.
    if (id === TEST_AGENT_ID) continue;
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
      agent.first_disallowed_at = earlierOf(agent.first_disallowed_at, first.toISOString());
      agent.last_disallowed_at = laterOf(agent.last_disallowed_at, last.toISOString());
    } else if (status === '403' && (verdict === 'allowed' || verdict === 'no_rules')) agent.allowed_forbidden += visits;
  }
  for (const [id, agent] of agents) {
    const agentTimes = times.get(id);
    if (agentTimes === undefined) continue;
    // The times come from the newest visits only. The last disallowed visit is always among them, but the first one
    // only if all disallowed visits were read.
    if (agentTimes.visits >= agent.disallowed) agent.first_disallowed_at = agentTimes.first_at?.toISOString() ?? null;
    if (agentTimes.last_at !== null) agent.last_disallowed_at = agentTimes.last_at.toISOString();
    agent.last_robots_fetch_at = agentTimes.last_fetch_at?.toISOString() ?? null;
    agent.read_before = { visits: agentTimes.read_before, of: agentTimes.judged };
  }
  return agents;
}

/** Fills in missing times of the last robots.txt fetch from the counts. */
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

/** ISO 8601 times in UTC can be compared as text. */
const earlierOf = (one: string | null, other: string): string => (one !== null && one < other ? one : other);
const laterOf = (one: string | null, other: string): string => (one !== null && one > other ? one : other);

const SUMMED_FIELDS = [
  'allowed',
  'disallowed',
  'no_rules',
  'unreachable',
  'unknown',
  'disallowed_served',
  'disallowed_forbidden',
  'allowed_forbidden',
] as const;

/**
 * @param other Number of visits that were counted without their agent and verdict, because the limit on different
 * values was reached.
 */
function sumTotals(agents: readonly ComplianceAgent[], other: number): Compliance['totals'] {
  const sum = (of: readonly ComplianceAgent[], getNumber: (agent: ComplianceAgent) => number): number =>
    of.reduce((total, agent) => total + getNumber(agent), 0);
  const crawlers = agents.filter((agent) => !agent.is_user_triggered);
  const userTriggered = agents.filter((agent) => agent.is_user_triggered);
  return {
    ...(Object.fromEntries(SUMMED_FIELDS.map((name) => [name, sum(crawlers, (agent) => agent[name])])) as Record<
      (typeof SUMMED_FIELDS)[number],
      number
    >),
    disallowing_agents: crawlers.filter(({ disallowed }) => disallowed > 0).length,
    user_triggered: sum(userTriggered, countVisits),
    user_triggered_disallowed: sum(userTriggered, ({ disallowed }) => disallowed),
    spoofed: sum(agents, ({ spoofed }) => spoofed),
    spoofed_disallowed: sum(agents, ({ spoofed_disallowed: disallowed }) => disallowed),
    other,
  };
}

const countVisits = ({ allowed, disallowed, no_rules, unreachable, unknown }: ComplianceAgent): number =>
  allowed + disallowed + no_rules + unreachable + unknown;

const compareByDisallowed = (one: ComplianceAgent, other: ComplianceAgent): number =>
  other.disallowed - one.disallowed || countVisits(other) - countVisits(one);
