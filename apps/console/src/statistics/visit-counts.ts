import type { IdentificationResult, PageCount, StatusCount, Totals } from '#libs/contracts';
import { type AgentCount, NO_AGENT, type TopCount } from '#libs/visit-store';

/** Counts visits by name, such as an operator, path or status. */
export class VisitsByName {
  private readonly counts = new Map<string, number>();

  add(name: string, amount = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + amount);
  }

  get size(): number {
    return this.counts.size;
  }

  get(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  /** Returns the largest counts, largest first. Ties are sorted by name. */
  top(max: number): [string, number][] {
    return [...this.counts]
      .toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
      .slice(0, max);
  }
}

export interface AgentVisits {
  agentId: string;
  /** Agent type of the most recent visit. */
  type: string;
  visits: number;
  verified: number;
  verification_failed: number;
  lastSeenAt: Date;
}

/** Sums each agent's counts across all results and types. Visits by unknown visitors are left out. */
export function sumByAgent(counts: readonly AgentCount[]): AgentVisits[] {
  const byAgent = new Map<string, AgentVisits>();
  for (const { agent_id: agentId, agent_type: type, result, visits, last_at: lastAt } of counts) {
    if (agentId === NO_AGENT) continue;
    const emptyVisits = { agentId, type, visits: 0, verified: 0, verification_failed: 0, lastSeenAt: lastAt };
    const agent = byAgent.get(agentId) ?? emptyVisits;
    byAgent.set(agentId, agent);
    agent.visits += visits;
    if (isVerificationOutcome(result)) agent[result] += visits;
    if (lastAt >= agent.lastSeenAt) [agent.lastSeenAt, agent.type] = [lastAt, type];
  }
  return [...byAgent.values()];
}

export function sumTotals(counts: readonly AgentCount[]): Totals {
  const totals: Totals = {
    visits: 0,
    agent_visits: 0,
    agents: 0,
    verified: 0,
    verification_failed: 0,
    not_verifiable: 0,
    unknown_agent: 0,
  };
  const agents = new Set<string>();
  for (const { agent_id: agentId, result, visits } of counts) {
    totals.visits += visits;
    totals[result as IdentificationResult] += visits;
    if (agentId === NO_AGENT) continue;
    totals.agent_visits += visits;
    agents.add(agentId);
  }
  return { ...totals, agents: agents.size };
}

export const toPageCounts = (top: readonly TopCount[]): PageCount[] =>
  top.map(({ value, ...counts }) => ({ path: value, ...counts }));

export const toStatusCounts = (top: readonly TopCount[]): StatusCount[] =>
  top.map(({ value, ...counts }) => ({ status: value === '' ? null : Number(value), ...counts }));

export const isVerificationOutcome = (result: string): result is 'verified' | 'verification_failed' =>
  result === 'verified' || result === 'verification_failed';
