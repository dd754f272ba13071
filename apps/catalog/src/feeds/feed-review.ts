import { setImmediate } from 'node:timers/promises';
import { AgentMatcher, type AgentDefinition } from '#libs/agents';
import {
  agentId,
  getBrowserUserAgents,
  checkAgent,
  type Agent,
  type AgentRecord,
  type CompiledCatalog,
} from '#libs/catalog';
import { FeedError, toPrintable } from './feed-error.js';
import type { FeedEntry } from './formats/format-reader.js';

export interface FeedVerdict {
  agentId: string;
  token: string;
  /** Agent in the entry, or null if it's invalid. */
  record: AgentRecord | null;
  state: 'proposed' | 'known' | 'refused';
  /** Reason for the state, or null if it's `proposed`. */
  reason: string | null;
}

interface ReviewOptions {
  catalog: CompiledCatalog;
  /** IDs of agents that were accepted from this feed. Only this feed may change them. */
  accepted: ReadonlySet<string>;
  timeoutMs?: number;
}

const REVIEW_TIMEOUT_MS = 30_000;
const YIELD_INTERVAL_MS = 10;
/** Maximum total pattern length per feed. Every process that identifies visits keeps the patterns in memory. */
const MAX_PATTERN_CHARACTERS = 100_000;
const AGENTS_PER_PASS = 100;
/** Maximum number of catalog agents whose sample User-Agents a new agent may match before it counts as too general. */
const MAX_MATCHED_AGENTS = 50;

interface Candidate {
  agent: Agent;
  verdict: FeedVerdict;
}

/**
 * Decides which agents of a feed to propose. Rejects agents that are invalid, too general, or match ordinary browsers,
 * and marks agents that the catalog already has as known. A fault in one agent doesn't affect the others.
 *
 * @throws {FeedError} if the check takes too long or the patterns are too long in total.
 */
export async function reviewFeed(
  entries: Iterable<FeedEntry>,
  { catalog, accepted, timeoutMs = REVIEW_TIMEOUT_MS }: ReviewOptions,
): Promise<FeedVerdict[]> {
  const budget = new TimeBudget(timeoutMs);
  const verdicts: FeedVerdict[] = [];
  const candidates: Candidate[] = [];
  const ids = new Set<string>();
  const names: string[] = [];
  for (const entry of entries) {
    await budget.yieldIfDue();
    const verdict = await validateEntry(entry, verdicts.length, ids);
    names.push(entry.name.toWellFormed());
    verdicts.push(verdict);
    ids.add(verdict.agentId);
    if (verdict.record !== null && verdict.state === 'proposed') {
      candidates.push({ agent: { ...verdict.record, id: verdict.agentId }, verdict });
    }
  }
  for (const [index, verdict] of verdicts.entries()) {
    // An accepted agent is still in the feed even if its new record is invalid, so it must not be marked as gone.
    const id = agentId(names[index]!);
    if (verdict.record !== null || !accepted.has(id) || ids.has(id)) continue;
    verdict.agentId = id;
    ids.add(id);
  }
  const characters = candidates.flatMap(({ agent }) => agent.user_agent_patterns).join('').length;
  if (characters > MAX_PATTERN_CHARACTERS) {
    const [actual, maximum] = [characters, MAX_PATTERN_CHARACTERS].map((number) => number.toLocaleString('en'));
    throw new FeedError('too_much_work', `The patterns have ${actual} characters, but the maximum is ${maximum}.`);
  }
  markKnownAgents(candidates, catalog, accepted);
  await rejectBrowserMatches(candidates, budget);
  await checkConflicts(candidates, catalog, budget);
  return verdicts;
}

const filterProposed = (candidates: readonly Candidate[]): Candidate[] =>
  candidates.filter(({ verdict }) => verdict.state === 'proposed');

async function validateEntry(entry: FeedEntry, index: number, ids: ReadonlySet<string>): Promise<FeedVerdict> {
  const name = toPrintable(entry.name, 200) || `entry ${index + 1}`;
  const reject = (reason: string): FeedVerdict => ({
    // This ID for the invalid entry can't equal the ID of an agent, because tokens don't contain NUL.
    agentId: agentId(`\0refused ${index}`),
    token: name,
    record: null,
    state: 'refused',
    reason: toPrintable(reason),
  });
  if ('refusal' in entry) return reject(entry.refusal);
  const { records, faults } = await checkAgent(entry.record, { others: [] });
  const [fault] = faults;
  if (fault !== undefined) return reject(`${fault.pointer || 'It'} ${fault.detail}.`);
  const record = records[0]!;
  const id = agentId(record.token);
  if (ids.has(id)) return reject('The feed lists this token twice. Only the first entry is used.');
  return { agentId: id, token: record.token, record, state: 'proposed', reason: null };
}

/** Marks candidates that share a token or pattern with a catalog agent, or a pattern with an earlier candidate. */
function markKnownAgents(
  candidates: readonly Candidate[],
  { byId }: CompiledCatalog,
  accepted: ReadonlySet<string>,
): void {
  const owners = new Map<string, Agent>();
  for (const agent of byId.values()) {
    for (const pattern of agent.user_agent_patterns) owners.set(pattern.toLowerCase(), agent);
  }
  const earlier = new Map<string, Agent>();
  for (const { agent, verdict } of candidates) {
    const namesake = accepted.has(agent.id) ? undefined : byId.get(agent.id);
    const owner = agent.user_agent_patterns
      .map((pattern) => owners.get(pattern.toLowerCase()))
      .find((other) => other !== undefined && other.id !== agent.id);
    const twin = agent.user_agent_patterns.map((pattern) => earlier.get(pattern.toLowerCase())).find(Boolean);
    if (namesake !== undefined) settle(verdict, 'known', `The catalog already has ${namesake.token}.`);
    else if (owner !== undefined) settle(verdict, 'known', `${owner.token} has the same pattern.`);
    else if (twin !== undefined) settle(verdict, 'refused', `${twin.token} in this feed has the same pattern.`);
    else for (const pattern of agent.user_agent_patterns) earlier.set(pattern.toLowerCase(), agent);
  }
}

async function rejectBrowserMatches(candidates: readonly Candidate[], budget: TimeBudget): Promise<void> {
  await forEachMatch(filterProposed(candidates), getBrowserUserAgents(), budget, ({ verdict }, userAgent) => {
    if (verdict.state === 'refused') return;
    settle(verdict, 'refused', `It matches an ordinary browser: ${userAgent}`);
  });
}

async function checkConflicts(
  candidates: readonly Candidate[],
  { byId, matcher }: CompiledCatalog,
  budget: TimeBudget,
): Promise<void> {
  const matchedAgents = new Map<Candidate, Set<AgentDefinition>>();
  const samples = new Map<string, AgentDefinition[]>();
  for (const agent of byId.values()) {
    for (const sample of agent.sample_user_agents ?? []) samples.set(sample, [...(samples.get(sample) ?? []), agent]);
  }
  await forEachMatch(filterProposed(candidates), [...samples.keys()], budget, (candidate, sample) => {
    const found = matchedAgents.get(candidate) ?? new Set();
    for (const agent of samples.get(sample)!) if (agent.id !== candidate.agent.id) found.add(agent);
    matchedAgents.set(candidate, found);
  });
  for (const candidate of filterProposed(candidates)) {
    await budget.yieldIfDue();
    const { agent, verdict } = candidate;
    const others = matchedAgents.get(candidate) ?? new Set();
    if (others.size > MAX_MATCHED_AGENTS) {
      settle(verdict, 'refused', `It is too general: it matches User-Agents of ${others.size} other agents.`);
      continue;
    }
    const rivals = (agent.sample_user_agents ?? []).flatMap((sample) => matcher.findAll(sample));
    for (const rival of rivals) if (rival.id !== agent.id) others.add(rival);
    const { faults } = await checkAgent(verdict.record, { others: [...others].map(withoutId) });
    if (faults.length === 0) continue;
    const hasSampleFault = faults.some(({ pointer }) => pointer.startsWith('/sample_user_agents'));
    const specificAgents = [...others].filter(({ generic }) => !generic);
    const knownAgent =
      specificAgents.length === 1 ? specificAgents[0] : hasSampleFault ? findWinner(agent, matcher) : undefined;
    if (knownAgent) settle(verdict, 'known', `The catalog identifies its User-Agents as ${knownAgent.token}.`);
    else settle(verdict, 'refused', `${faults[0]!.pointer} ${faults[0]!.detail}.`);
  }
}

function findWinner(agent: Agent, matcher: AgentMatcher): AgentDefinition | undefined {
  return agent.sample_user_agents?.map((sample) => matcher.find(sample)?.agent).find((other) => other !== undefined);
}

function withoutId(agent: AgentDefinition): AgentRecord {
  const { id: _, ...record } = agent;
  return record;
}

function settle(verdict: FeedVerdict, state: 'known' | 'refused', reason: string): void {
  verdict.state = state;
  verdict.reason = toPrintable(reason);
}

/** Calls `found` for each text that a candidate's patterns match. */
async function forEachMatch(
  candidates: readonly Candidate[],
  texts: readonly string[],
  budget: TimeBudget,
  found: (candidate: Candidate, text: string) => void,
): Promise<void> {
  for (let start = 0; start < candidates.length; start += AGENTS_PER_PASS) {
    const byAgent = new Map<AgentDefinition, Candidate>();
    for (const candidate of candidates.slice(start, start + AGENTS_PER_PASS)) {
      // Let the patterns match inside words, too. A pattern that occurs in many words is too general.
      byAgent.set({ ...candidate.agent, loose_patterns: candidate.agent.user_agent_patterns }, candidate);
    }
    const matcher = new AgentMatcher([...byAgent.keys()]);
    for (const text of texts) {
      await budget.yieldIfDue();
      for (const agent of matcher.findAll(text)) found(byAgent.get(agent)!, text);
    }
  }
}

/** Time limit for a long computation that regularly yields to the event loop. */
class TimeBudget {
  private readonly deadline: number;
  private yieldedAt = performance.now();

  constructor(private readonly timeoutMs: number) {
    this.deadline = this.yieldedAt + timeoutMs;
  }

  /** Yields to the event loop if it's time to. Call it often. @throws {FeedError} if the time limit is exceeded. */
  async yieldIfDue(): Promise<void> {
    const now = performance.now();
    if (now > this.deadline)
      throw new FeedError('too_much_work', `Checking the feed takes longer than ${this.timeoutMs} ms.`);
    if (now - this.yieldedAt < YIELD_INTERVAL_MS) return;
    await setImmediate();
    this.yieldedAt = performance.now();
  }
}
