import { Injectable } from '@nestjs/common';
import { parseDimension, MAX_TOOL_ROWS, NO_CALLER, TOOL_DIMENSIONS, type ToolsReport } from '#libs/contracts';
import { getMinorDigits } from '#libs/payments';
import { CheckoutCountsRepository, DimensionsRepository, type Snapshot } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { AgentNamesRepository, type AgentNames } from '../statistics/agent-names.repository.js';
import { describeRange } from '../statistics/overview.service.js';
import type { Series } from '../statistics/time-range.js';
import { Durations, parseOutcome, isRejection, splitCounts, type SplitCount } from './call-counts.js';

const TOOL_CALL = 'tools/call';

class ToolCounts {
  calls = 0;
  errors = 0;
  /** Number of calls that failed with an error code that servers use for unknown tools, among other things. */
  rejections = 0;
  readonly callers = new Set<string>();
  readonly clients = new Set<string>();
  readonly durations = new Durations();
}

/** Summarizes MCP calls and checkouts. */
@Injectable()
export class ToolsService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    private readonly checkouts: CheckoutCountsRepository,
    private readonly names: AgentNamesRepository,
  ) {}

  report(projectId: string, series: Series): Promise<ToolsReport> {
    return this.reading.read(async (snapshot) => {
      const seriesCounts = await this.dimensions.series(snapshot, projectId, series, TOOL_DIMENSIONS.results);
      const sums = async (dimension: string): Promise<SplitCount[]> =>
        splitCounts(await this.dimensions.sums(snapshot, projectId, series, dimension));
      const versions = await sums(TOOL_DIMENSIONS.versions);
      const hasCalls = seriesCounts.length > 0 || versions.length > 0;
      const read = (dimension: string) => (hasCalls ? sums(dimension) : []);
      const calls = await read(TOOL_DIMENSIONS.calls);
      const callers = await read(TOOL_DIMENSIONS.callers);
      const clients = await read(TOOL_DIMENSIONS.clients);
      const durations = await read(TOOL_DIMENSIONS.durations);
      const requests = await read(TOOL_DIMENSIONS.requests);
      const tools = countTools({ calls, callers, clients, durations });
      const isUnknown = ({ rejections: refusals, calls: all }: ToolCounts): boolean => refusals === all && all > 0;
      const byCalls = [...tools].toSorted(([, one], [, other]) => other.calls - one.calls).slice(0, MAX_TOOL_ROWS);
      const { states, buyers } = await this.checkouts.count(snapshot, projectId, series);
      const getNames = await this.findNames(snapshot, projectId, [
        ...[...callers, ...versions].map(({ parts }) => parts[1]!).filter(isAgent),
        ...buyers.flatMap(({ agent_id: id }) => id ?? []),
      ]);
      return {
        ...describeRange(series),
        series: toSeries(series, seriesCounts),
        tools: byCalls
          .filter(([, counts]) => !isUnknown(counts))
          .map(([tool, counts]) => ({
            tool,
            calls: counts.calls,
            errors: counts.errors,
            callers: counts.callers.size,
            clients: counts.clients.size,
            p50_ms: counts.durations.percentile(0.5),
            p95_ms: counts.durations.percentile(0.95),
            timed_calls: counts.durations.calls,
          })),
        unknown_tools: byCalls
          .filter(([, counts]) => isUnknown(counts))
          .map(([tool, { calls: count }]) => ({ tool, calls: count })),
        errors: toErrors([
          ...calls.map(({ parts: [tool, outcome], visits }) => ({ method: TOOL_CALL, tool, outcome, visits })),
          ...requests.map(({ parts: [method, tool, outcome], visits }) => ({ method, tool, outcome, visits })),
        ]),
        callers: callers.slice(0, MAX_TOOL_ROWS).map(({ parts: [tool = '', caller = ''], visits }) => ({
          tool,
          ...toCaller(caller, getNames),
          calls: visits,
        })),
        clients: toClients(clients),
        requests: toRequests(requests),
        versions: versions
          .slice(0, MAX_TOOL_ROWS)
          .map(({ parts: [version = '', caller = '', name = '', clientVersion = ''], visits }) => ({
            version,
            ...toCaller(caller, getNames),
            client_name: name,
            client_version: clientVersion,
            requests: visits,
          })),
        checkouts: states.map((row) => ({
          ...row,
          minor_digits: row.currency === null ? 0 : getMinorDigits(row.currency),
        })),
        buyers: buyers.map(({ protocol, agent_id: id, is_spoofed: isSpoofed, checkouts, completed }) => ({
          protocol,
          ...toCaller(id ?? (isSpoofed ? NO_CALLER.spoofed : NO_CALLER.unknown), getNames),
          checkouts,
          completed,
        })),
      };
    });
  }

  private findNames(snapshot: Snapshot, projectId: string, ids: readonly string[]): Promise<NameLookup> {
    return this.names.find(snapshot, projectId, [...new Set(ids)]);
  }
}

type NameLookup = (id: string) => AgentNames;

const isAgent = (caller: string): boolean => caller !== NO_CALLER.unknown && caller !== NO_CALLER.spoofed;

function toCaller(caller: string, getNames: NameLookup) {
  const names = isAgent(caller) ? getNames(caller) : null;
  return {
    agent_id: isAgent(caller) ? caller : null,
    agent_token: names?.agent_token ?? null,
    agent_type_name: names?.agent_type_name ?? null,
    operator_name: names?.operator_name ?? null,
    is_spoofed: caller === NO_CALLER.spoofed,
  };
}

type ToolDimensionCounts = Record<'calls' | 'callers' | 'clients' | 'durations', readonly SplitCount[]>;

/** Sums counts by tool, which is the first part of each value. */
function countTools({ calls, callers, clients, durations }: ToolDimensionCounts): Map<string, ToolCounts> {
  const tools = new Map<string, ToolCounts>();
  const getOrAddTool = (tool: string): ToolCounts => {
    const counts = tools.get(tool) ?? new ToolCounts();
    tools.set(tool, counts);
    return counts;
  };
  for (const { parts, visits } of calls) {
    const counts = getOrAddTool(parts[0]!);
    const fault = parseOutcome(parts[1]!);
    counts.calls += visits;
    if (fault !== null) counts.errors += visits;
    if (isRejection(fault)) counts.rejections += visits;
  }
  // If the call counts have reached their limit, a tool can have callers but no calls. Such tools aren't listed.
  for (const { parts } of callers) tools.get(parts[0]!)?.callers.add(parts[1]!);
  for (const { parts } of clients) {
    if (parts[1] !== '') tools.get(parts[0]!)?.clients.add(JSON.stringify(parts.slice(1)));
  }
  for (const { parts, visits } of durations) tools.get(parts[0]!)?.durations.add(Number(parts[1]), visits);
  return tools;
}

function toSeries(
  { starts }: Series,
  counts: readonly { item: number; value: string; visits: number }[],
): ToolsReport['series'] {
  const items = starts.map((start) => ({ time: new Date(start).toISOString(), calls: 0, errors: 0 }));
  for (const { item, value, visits } of counts) {
    items[item]!.calls += visits;
    if (parseDimension(value)[0] === 'failed') items[item]!.errors += visits;
  }
  return items;
}

interface OutcomeCount {
  method: string | undefined;
  tool: string | undefined;
  outcome: string | undefined;
  visits: number;
}

const toErrors = (counts: readonly OutcomeCount[]): ToolsReport['errors'] =>
  counts
    .flatMap(({ method = '', tool = '', outcome = '', visits }) => {
      const fault = parseOutcome(outcome);
      return fault === null ? [] : [{ method, tool, ...fault, calls: visits }];
    })
    .toSorted((one, other) => other.calls - one.calls)
    .slice(0, MAX_TOOL_ROWS);

function toRequests(counts: readonly SplitCount[]): ToolsReport['requests'] {
  const requests = Map.groupBy(counts, ({ parts }) => JSON.stringify(parts.slice(0, 2)));
  return [...requests.values()]
    .map((outcomes) => {
      const [method = '', name = ''] = outcomes[0]!.parts;
      const sum = (items: readonly SplitCount[]): number => items.reduce((all, { visits }) => all + visits, 0);
      const errors = outcomes.filter(({ parts }) => parseOutcome(parts[2]!) !== null);
      return { method, name, requests: sum(outcomes), errors: sum(errors) };
    })
    .toSorted((one, other) => other.requests - one.requests)
    .slice(0, MAX_TOOL_ROWS);
}

function toClients(counts: readonly SplitCount[]): ToolsReport['clients'] {
  const clients = Map.groupBy(counts, ({ parts }) => JSON.stringify(parts.slice(1)));
  return [...clients.values()]
    .map((clientCounts) => ({
      client_name: clientCounts[0]!.parts[1]!,
      client_version: clientCounts[0]!.parts[2]!,
      calls: clientCounts.reduce((sum, { visits }) => sum + visits, 0),
      tools: clientCounts.length,
    }))
    .toSorted((one, other) => other.calls - one.calls)
    .slice(0, MAX_TOOL_ROWS);
}
