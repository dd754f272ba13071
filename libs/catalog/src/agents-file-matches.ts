import { AgentMatcher, type AgentDefinition } from '#libs/agents';
import type { Fault } from '#libs/contracts';
import { matchesPattern } from './agents-file-samples.js';
import { agentId, type AgentRecord } from './catalog.js';

/** Record with valid patterns and samples. `pointer` is its JSON Pointer (RFC 6901). */
export interface Candidate {
  pointer: string;
  record: AgentRecord;
}

/**
 * Finds samples that don't identify their own agent, and patterns that match other agents' samples.
 *
 * @param others All other agents in the catalog. Their patterns must be valid.
 */
export function* matchFaults(
  candidates: readonly Candidate[],
  others: readonly AgentRecord[],
): Generator<void, Fault[]> {
  if (candidates.length === 0) return [];
  const byAgent = new Map<AgentDefinition, Candidate | null>();
  for (const other of others) {
    yield;
    byAgent.set(withId(other), null);
  }
  for (const candidate of candidates) {
    yield;
    byAgent.set(withId(candidate.record), candidate);
  }
  // If several agents match equally well, the first one wins, so use the same order as the data file.
  const orderedAgents = [...byAgent.keys()].toSorted((a, b) =>
    a.token.toLowerCase() < b.token.toLowerCase() ? -1 : 1,
  );
  const matcher = new AgentMatcher(orderedAgents);

  const faults: Fault[] = [];
  const conflicts = new Map<string, { tokens: Set<string>; sample: string }>();
  for (const [agent, candidate] of byAgent) {
    yield;
    agent.sample_user_agents?.forEach((sample, index) => {
      const match = matcher.find(sample);
      if (candidate !== null) {
        const detail = sampleFault(agent, index, match?.agent ?? null);
        if (detail !== null) faults.push({ pointer: `${candidate.pointer}/sample_user_agents/${index}`, detail });
        return;
      }
      const winner = match === null ? null : byAgent.get(match.agent);
      if (match === null || !winner) return;
      const pointer = `${winner.pointer}/user_agent_patterns/${findPatternIndex(match.agent, sample, match.matchedText)}`;
      const conflict = conflicts.get(pointer) ?? { tokens: new Set(), sample };
      conflicts.set(pointer, { ...conflict, tokens: conflict.tokens.add(agent.token) });
    });
  }
  for (const [pointer, { tokens, sample }] of conflicts) {
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
  if (!matchesPattern(pattern, agent.sample_user_agents![index]!))
    return `must be a User-Agent that matches its pattern ${pattern}`;
  if (found === agent) return null;
  return found === null
    ? `contains the agent's name only within a word, a contact address or an app: use the full name, or add ${pattern} to loose_patterns`
    : `is identified as ${found.token} instead: make the pattern more specific`;
}

function findPatternIndex(agent: AgentDefinition, sample: string, matchedText: string): number {
  return agent.user_agent_patterns.findIndex((pattern) => new RegExp(pattern, 'i').exec(sample)?.[0] === matchedText);
}

const withId = (record: AgentRecord): AgentDefinition => ({ ...record, id: agentId(record.token) });
