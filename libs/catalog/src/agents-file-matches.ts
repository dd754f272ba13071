import { AgentMatcher, type AgentDefinition } from '#libs/agents';
import type { Fault } from '#libs/contracts';
import { finds } from './agents-file-samples.js';
import { agentId, type AgentRecord } from './catalog.js';

/** Record with valid patterns and samples, and its JSON pointer. */
export interface Candidate {
  pointer: string;
  record: AgentRecord;
}

/**
 * Returns faults of the candidates: samples that don't identify their own agent, and patterns that match other agents'
 * samples.
 *
 * @param others agents in the catalog besides the candidates. Their patterns must be valid.
 */
export function matchFaults(candidates: readonly Candidate[], others: readonly AgentRecord[]): Fault[] {
  if (candidates.length === 0) return [];
  const byAgent = new Map<AgentDefinition, Candidate | null>();
  for (const other of others) byAgent.set(withId(other), null);
  for (const candidate of candidates) byAgent.set(withId(candidate.record), candidate);
  // Order of the data file, which decides ties.
  const order = [...byAgent.keys()].toSorted((a, b) => (a.token.toLowerCase() < b.token.toLowerCase() ? -1 : 1));
  const matcher = new AgentMatcher(order);

  const faults: Fault[] = [];
  const victims = new Map<string, { tokens: Set<string>; sample: string }>();
  for (const [agent, candidate] of byAgent) {
    agent.sample_user_agents?.forEach((sample, index) => {
      const match = matcher.find(sample);
      if (candidate !== null) {
        const detail = sampleFault(agent, index, match?.agent ?? null);
        if (detail !== null) faults.push({ pointer: `${candidate.pointer}/sample_user_agents/${index}`, detail });
        return;
      }
      const taker = match === null ? null : byAgent.get(match.agent);
      if (match === null || !taker) return;
      const pointer = `${taker.pointer}/user_agent_patterns/${patternOf(match.agent, sample, match.matchedText)}`;
      const victim = victims.get(pointer) ?? { tokens: new Set(), sample };
      victims.set(pointer, { ...victim, tokens: victim.tokens.add(agent.token) });
    });
  }
  for (const [pointer, { tokens, sample }] of victims) {
    const [first] = tokens;
    const more = tokens.size > 1 ? ` and ${tokens.size - 1} more` : '';
    faults.push({
      pointer,
      detail: `also matches User-Agents of ${first}${more}, such as "${sample}": make the pattern more specific`,
    });
  }
  return faults;
}

function sampleFault(agent: AgentDefinition, index: number, found: AgentDefinition | null): string | null {
  const pattern = agent.user_agent_patterns[index]!;
  if (!finds(pattern, agent.sample_user_agents![index]!))
    return `must be a User-Agent that its pattern ${pattern} matches`;
  if (found === agent) return null;
  return found === null
    ? `names the agent only as part of a word, a contact address or an app: write the whole name, or add ${pattern} to loose_patterns`
    : `is identified as ${found.token} instead: make its pattern more specific`;
}

function patternOf(agent: AgentDefinition, sample: string, matchedText: string): number {
  return agent.user_agent_patterns.findIndex((pattern) => new RegExp(pattern, 'i').exec(sample)?.[0] === matchedText);
}

const withId = (record: AgentRecord): AgentDefinition => ({ ...record, id: agentId(record.token) });
