import { AgentRecordSchema, MAX_AGENTS, validator, type Fault } from '#libs/contracts';
import { bundledCatalog } from './bundled-catalog.js';
import { fieldFaults, recordFaults } from './agents-file-fields.js';
import { matchFaults, type Candidate } from './agents-file-matches.js';
import { plainSample } from './agents-file-samples.js';
import type { AgentRecord } from './catalog.js';

const agentRecord = validator(AgentRecordSchema);

export interface AgentsCheckOptions {
  /**
   * Existing agents to check for conflicts, in any order. They must be valid. A record with the token of one of them
   * replaces it. Default: the bundled agents.
   */
  others?: readonly AgentRecord[];
}

export interface AgentsCheck {
  /** Valid records in their original order, with a sample for each pattern. */
  records: AgentRecord[];
  /** Faults of all records, in record order. `pointer` is a JSON Pointer (RFC 6901). */
  faults: Fault[];
}

/**
 * Validates agents in the format of the data file:
 * - shape and types
 * - unique tokens
 * - patterns that compile and run in linear time
 * - samples that identify their own agent and no other
 * - CIDR blocks, host names and URLs
 *
 * A record whose patterns are all plain text doesn't need samples. Never throws.
 */
export function checkAgents(records: unknown, options: AgentsCheckOptions = {}): AgentsCheck {
  if (!Array.isArray(records)) return { records: [], faults: [{ pointer: '', detail: 'must be a list of agents' }] };
  if (records.length > MAX_AGENTS) {
    const detail = `must have at most ${MAX_AGENTS} agents, not ${records.length}: split the file`;
    return { records: [], faults: [{ pointer: '', detail }] };
  }
  return check(records, (index) => `/${index}`, options);
}

/** Like {@link checkAgents}, for a single record. Pointers are relative to the record. */
export function checkAgent(record: unknown, options: AgentsCheckOptions = {}): AgentsCheck {
  return check([record], () => '', options);
}

function check(values: unknown[], prefix: (index: number) => string, options: AgentsCheckOptions): AgentsCheck {
  const faults: Fault[][] = values.map(() => []);
  const candidates = new Map<number, Candidate>();
  const indexOfToken = new Map<string, number>();
  values.forEach((value, index) => {
    const found = ownFaults(value);
    const token = tokenOf(value);
    const earlier = token === null ? undefined : indexOfToken.get(token);
    if (earlier !== undefined)
      found.push({ pointer: '/token', detail: `must be unique, and is the token of ${prefix(earlier)} too` });
    else if (token !== null) indexOfToken.set(token, index);
    faults[index] = found.map(({ pointer, detail }) => ({ pointer: prefix(index) + pointer, detail }));
    if (found.length === 0)
      candidates.set(index, { pointer: prefix(index), record: withSamples(value as AgentRecord) });
  });
  const others = (options.others ?? bundledCatalog().agents).filter(
    ({ token }) => !indexOfToken.has(token.toLowerCase()),
  );
  const ofMatches = matchFaults([...candidates.values()], others);
  for (const fault of ofMatches) {
    const index = values.length === 1 ? 0 : Number(fault.pointer.split('/')[1]);
    faults[index]!.push(fault);
    candidates.delete(index);
  }
  return { records: [...candidates.values()].map(({ record }) => record), faults: faults.flat() };
}

/** Returns the faults of a record that don't depend on other records. Pointers are relative to the record. */
function ownFaults(value: unknown): Fault[] {
  const faults = agentRecord.faults(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return faults;
  const isSound = (pointer: string): boolean =>
    !faults.some((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
  faults.push(...fieldFaults(value, faults));
  if (agentRecord.is(value))
    faults.push(...recordFaults(value as AgentRecord, isSound), ...missingSamples(value as AgentRecord, isSound));
  return faults;
}

function tokenOf(value: unknown): string | null {
  const token = typeof value === 'object' && value !== null && 'token' in value ? value.token : null;
  return typeof token === 'string' ? token.toLowerCase() : null;
}

function missingSamples(record: AgentRecord, isSound: (pointer: string) => boolean): Fault[] {
  const { user_agent_patterns: patterns, sample_user_agents: samples } = record;
  if (!isSound('/user_agent_patterns')) return [];
  const pointer = '/sample_user_agents';
  if (samples !== undefined) {
    const wanted = `must contain one for each pattern, in the same order (got ${samples.length} for ${patterns.length})`;
    return samples.length === patterns.length ? [] : [{ pointer, detail: wanted }];
  }
  const pattern = patterns.find((source) => plainSample(source) === null);
  if (pattern === undefined) return [];
  return [{ pointer, detail: `is required: give a User-Agent that the pattern ${pattern} matches` }];
}

function withSamples(record: AgentRecord): AgentRecord {
  if (record.sample_user_agents !== undefined) return record;
  return { ...record, sample_user_agents: record.user_agent_patterns.map((pattern) => plainSample(pattern)!) };
}
