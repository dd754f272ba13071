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

/** What is to become of an agent that a feed has. */
export interface FeedVerdict {
  agentId: string;
  token: string;
  /** Null where it can't be read as an agent. */
  record: AgentRecord | null;
  state: 'proposed' | 'known' | 'refused';
  /** Unless it is proposed. */
  reason: string | null;
}

interface JudgementOptions {
  /** The catalog that the agents would be added to. */
  catalog: CompiledCatalog;
  /** Ids of agents in it that were accepted from the same feed, which may change them. */
  accepted: ReadonlySet<string>;
  /** Milliseconds for all of it. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
/** Milliseconds of work after which others in this process get their turn. */
const TURN_MS = 10;
/** Characters of all patterns of a feed; those of the release have 28,000. Each costs memory in every process. */
const MAX_PATTERN_CHARACTERS = 100_000;
/** Agents whose patterns are looked for together. */
const CHUNK = 100;
/** Agents of the catalog in whose User-Agents a new one may be found, too; what is in more is not a name. */
const MAX_NEIGHBORS = 50;

/** A record that is sound by itself. */
interface Candidate {
  agent: Agent;
  verdict: FeedVerdict;
}

/**
 * Judges each agent of a feed by itself: whether it is sound, whether the catalog knows it already, and whether it would be
 * found in User-Agents of people's browsers or of other agents. What is wrong with one changes nothing for the others.
 *
 * @throws {FeedError} where that takes too much time or memory.
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
    // A change of an accepted agent that can't be taken doesn't make it vanish.
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
    // Apart from agents and from one another, whatever they are called.
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

/** Agents of the release, of your own and of other feeds win. */
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

/** Calls `found` for each candidate with a pattern that matches in one of the texts. */
async function forEachFound(
  candidates: readonly Candidate[],
  texts: readonly string[],
  work: Work,
  found: (candidate: Candidate, text: string) => void,
): Promise<void> {
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const byAgent = new Map<AgentDefinition, Candidate>();
    for (const candidate of candidates.slice(start, start + CHUNK)) {
      // A pattern that is part of many words is too general, wherever it counts.
      byAgent.set({ ...candidate.agent, loose_patterns: candidate.agent.user_agent_patterns }, candidate);
    }
    const matcher = new AgentMatcher([...byAgent.keys()]);
    for (const text of texts) {
      await work.breathe();
      for (const agent of matcher.findAll(text)) found(byAgent.get(agent)!, text);
    }
  }
}

/** Work that leaves others in the process their turn, and ends when its time is over. */
class Work {
  private readonly end: number;
  private turnedAt = performance.now();

  constructor(private readonly timeoutMs: number) {
    this.end = this.turnedAt + timeoutMs;
  }

  /** To be called again and again. @throws {FeedError} when the time is over. */
  async breathe(): Promise<void> {
    const now = performance.now();
    if (now > this.end) throw new FeedError('too_much_work', `It takes longer than ${this.timeoutMs} ms to check.`);
    if (now - this.turnedAt < TURN_MS) return;
    await turn();
    this.turnedAt = performance.now();
  }
}
