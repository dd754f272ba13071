import { setImmediate } from 'node:timers/promises';
import { AgentRecordSchema, MAX_AGENTS, validator, type Fault } from '#libs/contracts';
import { getBundledCatalog } from './bundled-catalog.js';
import { fieldFaults, recordFaults } from './agents-file-fields.js';
import { matchFaults, type Candidate } from './agents-file-matches.js';
import { getPlainSample } from './agents-file-samples.js';
import type { AgentRecord } from './catalog.js';

const YIELD_INTERVAL_MS = 10;

const agentRecordValidator = validator(AgentRecordSchema);

export interface AgentsCheckOptions {
  /**
   * Existing agents to check for conflicts, in any order. They must be valid. A record replaces the one with the same
   * token. Default: the bundled agents.
   */
  others?: readonly AgentRecord[];
}

export interface AgentsCheck {
  /** Valid records in their original order, with a sample for each pattern. */
  records: AgentRecord[];
  /** Faults in record order. `pointer` is a JSON Pointer (RFC 6901). */
  faults: Fault[];
}

/**
 * Validates agents in the data file format:
 * - shape and types
 * - unique tokens
 * - patterns that compile and run in linear time
 * - samples that identify their own agent and no other
 * - CIDR blocks, host names and URLs
 *
 * Samples are optional for records whose patterns are all plain text. Regularly yields to the event loop. Never
 * rejects.
 */
export async function checkAgents(records: unknown, options: AgentsCheckOptions = {}): Promise<AgentsCheck> {
  if (!Array.isArray(records)) return { records: [], faults: [{ pointer: '', detail: 'must be a list of agents' }] };
  if (records.length > MAX_AGENTS) {
    const detail = `must contain at most ${MAX_AGENTS} agents (got ${records.length}): split the file`;
    return { records: [], faults: [{ pointer: '', detail }] };
  }
  return runInSlices(checkRecords(records, (index) => `/${index}`, options));
}

/** Like {@link checkAgents}, but for a single record. Pointers are relative to it. */
export function checkAgent(record: unknown, options: AgentsCheckOptions = {}): Promise<AgentsCheck> {
  return runInSlices(checkRecords([record], () => '', options));
}

/** Runs a generator to completion, and yields to the event loop between its steps about every 10 ms. */
async function runInSlices<T>(steps: Generator<void, T>): Promise<T> {
  let yieldedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - yieldedAt < YIELD_INTERVAL_MS) continue;
    await setImmediate();
    yieldedAt = performance.now();
  }
}

function* checkRecords(
  values: unknown[],
  prefix: (index: number) => string,
  options: AgentsCheckOptions,
): Generator<void, AgentsCheck> {
  const faults: Fault[][] = values.map(() => []);
  const candidates = new Map<number, Candidate>();
  const indexesByToken = new Map<string, number>();
  for (const [index, value] of values.entries()) {
    const found = yield* findRecordFaults(value);
    const token = getToken(value);
    const earlierIndex = token === null ? undefined : indexesByToken.get(token);
    if (earlierIndex !== undefined)
      found.push({ pointer: '/token', detail: `must be unique, but ${prefix(earlierIndex)} has the same token` });
    else if (token !== null) indexesByToken.set(token, index);
    faults[index] = found.map(({ pointer, detail }) => ({ pointer: prefix(index) + pointer, detail }));
    if (found.length === 0) candidates.set(index, { pointer: prefix(index), record: addSamples(value as AgentRecord) });
  }
  const others = (options.others ?? getBundledCatalog().agents).filter(
    ({ token }) => !indexesByToken.has(token.toLowerCase()),
  );
  const matchingFaults = yield* matchFaults([...candidates.values()], others);
  for (const fault of matchingFaults) {
    const index = values.length === 1 ? 0 : Number(fault.pointer.split('/')[1]);
    faults[index]!.push(fault);
    candidates.delete(index);
  }
  return { records: [...candidates.values()].map(({ record }) => record), faults: faults.flat() };
}

/** Returns faults that don't depend on other records. Pointers are relative to the record. */
function* findRecordFaults(value: unknown): Generator<void, Fault[]> {
  const faults = agentRecordValidator.faults(value);
  const hasValidShape = faults.length === 0;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return faults;
  const isValid = (pointer: string): boolean =>
    !faults.some((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
  faults.push(...(yield* fieldFaults(value, faults)));
  if (hasValidShape)
    faults.push(...recordFaults(value as AgentRecord, isValid), ...findMissingSamples(value as AgentRecord, isValid));
  return faults;
}

function getToken(value: unknown): string | null {
  const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : null;
  return typeof token === 'string' ? token.toLowerCase() : null;
}

function findMissingSamples(record: AgentRecord, isValid: (pointer: string) => boolean): Fault[] {
  const { user_agent_patterns: patterns, sample_user_agents: samples } = record;
  if (!isValid('/user_agent_patterns')) return [];
  const pointer = '/sample_user_agents';
  if (samples !== undefined) {
    const message = `must contain one sample per pattern, in the same order (got ${samples.length}, expected ${patterns.length})`;
    return samples.length === patterns.length ? [] : [{ pointer, detail: message }];
  }
  const pattern = patterns.find((source) => getPlainSample(source) === null);
  if (pattern === undefined) return [];
  return [{ pointer, detail: `is required: add a User-Agent that matches the pattern ${pattern}` }];
}

function addSamples(record: AgentRecord): AgentRecord {
  if (record.sample_user_agents !== undefined) return record;
  return { ...record, sample_user_agents: record.user_agent_patterns.map((pattern) => getPlainSample(pattern)!) };
}
