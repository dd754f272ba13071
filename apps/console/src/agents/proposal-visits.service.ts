import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { AgentMatcher, type AgentDefinition } from '#libs/agents';
import type { ProposalVisits } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { ProposalVisitsRepository, type UserAgentCounts } from '#libs/visit-store';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { ProposalsRepository, type ProposedAgent } from './proposals.repository.js';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Time for which User-Agents are cached. */
const KEPT_MS = 60_000;
/** Number of User-Agents matched before yielding to the event loop. */
const USER_AGENTS_PER_TURN = 500;

/** Counts the visits of unknown visitors that agents proposed by feeds would match. */
@Injectable()
export class ProposalVisitsService {
  private kept: { from: number; until: number; read: Promise<UserAgentCounts> } | null = null;

  constructor(
    private readonly reading: SnapshotReader,
    private readonly proposals: ProposalsRepository,
    private readonly visits: ProposalVisitsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async count(): Promise<ProposalVisits> {
    const proposals = await this.proposals.list();
    const { from, read: reading } = this.userAgents();
    const { counts, share } = await reading;
    const visits = await matched(proposals, counts);
    return {
      from: new Date(from).toISOString(),
      read: counts.reduce((sum, { visits: number }) => sum + number, 0),
      is_estimate: share < 1,
      proposals: proposals.flatMap((proposal) => {
        const found = visits.get(proposal);
        if (found === undefined) return [];
        return [{ feed_id: proposal.feed_id, agent_id: proposal.agent_id, visits: Math.round(found / share) }];
      }),
    };
  }

  /** Reads the User-Agents of the last days. Cached across requests. */
  private userAgents(): NonNullable<ProposalVisitsService['kept']> {
    const now = this.now();
    if (this.kept !== null && now < this.kept.until) return this.kept;
    const from = now - DAYS * DAY_MS;
    const read = this.reading.read((snapshot) => this.visits.userAgents(snapshot, from));
    this.kept = { from, until: now + KEPT_MS, read };
    read.catch(() => (this.kept = null));
    return this.kept;
  }
}

async function matched(
  proposals: readonly ProposedAgent[],
  counts: UserAgentCounts['counts'],
): Promise<Map<ProposedAgent, number>> {
  const visits = new Map<ProposedAgent, number>();
  // Several feeds may propose the same agent, with different definitions.
  const byAgent = new Map<AgentDefinition, ProposedAgent>();
  for (const proposal of proposals) byAgent.set({ ...proposal.record, id: proposal.agent_id }, proposal);
  const matcher = new AgentMatcher([...byAgent.keys()]);
  for (const [index, { user_agent: userAgent, visits: number }] of counts.entries()) {
    if (index % USER_AGENTS_PER_TURN === 0) await turn();
    for (const agent of matcher.findAll(userAgent)) {
      const proposal = byAgent.get(agent)!;
      visits.set(proposal, (visits.get(proposal) ?? 0) + number);
    }
  }
  return visits;
}
