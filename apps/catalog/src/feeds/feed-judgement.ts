import { setImmediate as turn } from 'node:timers/promises';
import { AgentMatcher, type AgentDefinition } from '#libs/agents';
import {
  agentId,
  peoplesBrowsers,
  checkAgent,
  type Agent,
  type AgentRecord,
  type CompiledCatalog,
} from '#libs/catalog';
import { FeedError, printable } from './feed-error.js';
import type { FeedEntry } from './formats/format.js';

export interface FeedVerdict {
  agentId: string;
  token: string;
  /** Null if the entry isn't a valid agent. */
  record: AgentRecord | null;
  state: 'proposed' | 'known' | 'refused';
  /** Null if the state is `proposed`. */
  reason: string | null;
}

interface JudgementOptions {
  catalog: CompiledCatalog;
  /** IDs of catalog agents that were accepted from this feed, which may change them. */
  accepted: ReadonlySet<string>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** Milliseconds of work before yielding to the event loop. */
const TURN_MS = 10;
/** Maximum total length of a feed's patterns, which use memory in every process that identifies visits. */
const MAX_PATTERN_CHARACTERS = 100_000;
/** Number of agents whose patterns are matched in one pass. */
const CHUNK = 100;
/** Maximum number of catalog agents whose sample User-Agents a new agent may match. With more, it's too general. */
const MAX_NEIGHBORS = 50;

interface Candidate {
  agent: Agent;
  verdict: FeedVerdict;
}

/**
 * Judges each agent of a feed: whether it's valid, whether the catalog already has it, and whether it would match
 * people's browsers or other agents. A problem with one agent doesn't affect the others.
 *
 * @throws {FeedError} if the feed exceeds the time limit or the size limit of patterns.
 */
export async function judge(
  entries: Iterable<FeedEntry>,
  { catalog, accepted, timeoutMs = TIMEOUT_MS }: JudgementOptions,
): Promise<FeedVerdict[]> {
  const work = new Work(timeoutMs);
  const verdicts: FeedVerdict[] = [];
  const candidates: Candidate[] = [];
  const ids = new Set<string>();
  const names: string[] = [];
  for (const entry of entries) {
    await work.breathe();
    const verdict = soundness(entry, verdicts.length, ids);
    names.push(entry.name.toWellFormed());
    verdicts.push(verdict);
    ids.add(verdict.agentId);
    if (verdict.record !== null && verdict.state === 'proposed') {
      candidates.push({ agent: { ...verdict.record, id: verdict.agentId }, verdict });
    }
  }
  for (const [index, verdict] of verdicts.entries()) {
    // An accepted agent still counts as listed if its new record is invalid.
    const id = agentId(names[index]!);
    if (verdict.record !== null || !accepted.has(id) || ids.has(id)) continue;
    verdict.agentId = id;
    ids.add(id);
  }
  const characters = candidates.flatMap(({ agent }) => agent.user_agent_patterns).join('').length;
  if (characters > MAX_PATTERN_CHARACTERS) {
    const [has, most] = [characters, MAX_PATTERN_CHARACTERS].map((number) => number.toLocaleString('en'));
    throw new FeedError('too_much_work', `Its patterns have ${has} characters, more than ${most}.`);
  }
  markKnown(candidates, catalog, accepted);
  await refuseInBrowsers(candidates, work);
  await compareWithNeighbors(candidates, catalog, work);
  return verdicts;
}

const stillProposed = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ verdict }) => verdict.state === 'proposed');

function soundness(entry: FeedEntry, index: number, ids: ReadonlySet<string>): FeedVerdict {
  const name = printable(entry.name, 200) || `entry ${index + 1}`;
  const refused = (reason: string): FeedVerdict => ({
    // An ID that no other entry and no agent can have.
    agentId: agentId(`\0refused ${index}`),
    token: name,
    record: null,
    state: 'refused',
    reason: printable(reason),
  });
  if ('refusal' in entry) return refused(entry.refusal);
  const { records, faults } = checkAgent(entry.record, { others: [] });
  const [fault] = faults;
  if (fault !== undefined) return refused(`${fault.pointer || 'It'} ${fault.detail}.`);
  const record = records[0]!;
  const id = agentId(record.token);
  if (ids.has(id)) return refused('The feed has this token twice; the first one counts.');
  return { agentId: id, token: record.token, record, state: 'proposed', reason: null };
}

/** Marks agents that the catalog already has: bundled ones, custom ones and ones from other feeds. */
function markKnown(candidates: readonly Candidate[], { byId }: CompiledCatalog, accepted: ReadonlySet<string>): void {
  const owners = new Map<string, Agent>();
  for (const agent of byId.values()) {
    for (const pattern of agent.user_agent_patterns) owners.set(pattern.toLowerCase(), agent);
  }
  for (const { agent, verdict } of candidates) {
    const namesake = accepted.has(agent.id) ? undefined : byId.get(agent.id);
    const owner = agent.user_agent_patterns
      .map((pattern) => owners.get(pattern.toLowerCase()))
      .find((other) => other !== undefined && other.id !== agent.id);
    if (namesake !== undefined) settle(verdict, 'known', `The catalog has ${namesake.token} already.`);
    else if (owner !== undefined) settle(verdict, 'known', `${owner.token} has the same pattern.`);
  }
}

async function refuseInBrowsers(candidates: readonly Candidate[], work: Work): Promise<void> {
  await forEachFound(stillProposed(candidates), peoplesBrowsers(), work, ({ verdict }, userAgent) => {
    if (verdict.state === 'refused') return;
    settle(verdict, 'refused', `It matches a person's browser: ${userAgent}`);
  });
}

async function compareWithNeighbors(
  candidates: readonly Candidate[],
  { byId, matcher }: CompiledCatalog,
  work: Work,
): Promise<void> {
  const neighbors = new Map<Candidate, Set<AgentDefinition>>();
  const samples = new Map<string, AgentDefinition[]>();
  for (const agent of byId.values()) {
    for (const sample of agent.sample_user_agents ?? []) samples.set(sample, [...(samples.get(sample) ?? []), agent]);
  }
  await forEachFound(stillProposed(candidates), [...samples.keys()], work, (candidate, sample) => {
    const found = neighbors.get(candidate) ?? new Set();
    for (const agent of samples.get(sample)!) if (agent.id !== candidate.agent.id) found.add(agent);
    neighbors.set(candidate, found);
  });
  for (const candidate of stillProposed(candidates)) {
    await work.breathe();
    const { agent, verdict } = candidate;
    const others = neighbors.get(candidate) ?? new Set();
    if (others.size > MAX_NEIGHBORS) {
      settle(
        verdict,
        'refused',
        `It is found in User-Agents of ${others.size} agents of the catalog: it is too general.`,
      );
      continue;
    }
    const rivals = (agent.sample_user_agents ?? []).flatMap((sample) => matcher.findAll(sample));
    for (const rival of rivals) if (rival.id !== agent.id) others.add(rival);
    const { faults } = checkAgent(verdict.record, { others: [...others].map(withoutId) });
    if (faults.length === 0) continue;
    const ofSample = faults.some(({ pointer }) => pointer.startsWith('/sample_user_agents'));
    const named = [...others].filter(({ generic }) => !generic);
    const same = named.length === 1 ? named[0] : ofSample ? winnerIn(agent, matcher) : undefined;
    if (same) settle(verdict, 'known', `The catalog identifies its User-Agents as ${same.token}.`);
    else settle(verdict, 'refused', `${faults[0]!.pointer} ${faults[0]!.detail}.`);
  }
}

function winnerIn(agent: Agent, matcher: AgentMatcher): AgentDefinition | undefined {
  return agent.sample_user_agents?.map((sample) => matcher.find(sample)?.agent).find((other) => other !== undefined);
}

function withoutId(agent: AgentDefinition): AgentRecord {
  const { id: _, ...record } = agent;
  return record;
}

function settle(verdict: FeedVerdict, state: 'known' | 'refused', reason: string): void {
  verdict.state = state;
  verdict.reason = printable(reason);
}

/** Calls `found` for each candidate and each text that one of its patterns matches. */
async function forEachFound(
  candidates: readonly Candidate[],
  texts: readonly string[],
  work: Work,
  found: (candidate: Candidate, text: string) => void,
): Promise<void> {
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const byAgent = new Map<AgentDefinition, Candidate>();
    for (const candidate of candidates.slice(start, start + CHUNK)) {
      // Matches parts of words, too: a pattern that many words contain is too general.
      byAgent.set({ ...candidate.agent, loose_patterns: candidate.agent.user_agent_patterns }, candidate);
    }
    const matcher = new AgentMatcher([...byAgent.keys()]);
    for (const text of texts) {
      await work.breathe();
      for (const agent of matcher.findAll(text)) found(byAgent.get(agent)!, text);
    }
  }
}

/** Limits the time of a long computation and lets it yield to the event loop. */
class Work {
  private readonly end: number;
  private turnedAt = performance.now();

  constructor(private readonly timeoutMs: number) {
    this.end = this.turnedAt + timeoutMs;
  }

  /** Yields if necessary. Must be called frequently. @throws {FeedError} if the time limit is exceeded. */
  async breathe(): Promise<void> {
    const now = performance.now();
    if (now > this.end) throw new FeedError('too_much_work', `It takes longer than ${this.timeoutMs} ms to check.`);
    if (now - this.turnedAt < TURN_MS) return;
    await turn();
    this.turnedAt = performance.now();
  }
}
