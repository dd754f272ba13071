import { Inject, Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { AgentMatcher, type AgentDefinition } from '#libs/agents';
import type { ProposalVisits } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { ProposalVisitsRepository, type UserAgentCounts } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { ProposalsRepository, type ProposedAgent } from './proposals.repository.js';

const RANGE_DAYS = 7;
const DAY_MS = 86_400_000;
/** How long User-Agent counts are cached. */
const CACHE_MS = 60_000;
/** Number of User-Agents matched before yielding to the event loop. */
const USER_AGENTS_PER_TICK = 500;

/** Counts visits by unknown visitors that would match agents proposed by feeds. */
@Injectable()
export class ProposalVisitsService {
  private cached: { from: number; until: number; read: Promise<UserAgentCounts> } | null = null;

  constructor(
    private readonly reading: SnapshotReader,
    private readonly proposals: ProposalsRepository,
    private readonly visits: ProposalVisitsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  async count(): Promise<ProposalVisits> {
    const proposals = await this.proposals.list();
    const { from, read: pendingRead } = this.readUserAgents();
    const { counts, share } = await pendingRead;
    const visits = await countMatches(proposals, counts);
    return {
      from: new Date(from).toISOString(),
      read: counts.reduce((sum, { visits: visitCount }) => sum + visitCount, 0),
      is_estimate: share < 1,
      proposals: proposals.flatMap((proposal) => {
        const matchingVisits = visits.get(proposal);
        if (matchingVisits === undefined) return [];
        return [{ feed_id: proposal.feed_id, agent_id: proposal.agent_id, visits: Math.round(matchingVisits / share) }];
      }),
    };
  }

  /** Reads the User-Agents of the last {@link RANGE_DAYS} days. The result is cached across requests. */
  private readUserAgents(): NonNullable<ProposalVisitsService['cached']> {
    const now = this.now();
    if (this.cached !== null && now < this.cached.until) return this.cached;
    const from = now - RANGE_DAYS * DAY_MS;
    const read = this.reading.read((snapshot) => this.visits.countUserAgents(snapshot, from));
    this.cached = { from, until: now + CACHE_MS, read };
    read.catch(() => (this.cached = null));
    return this.cached;
  }
}

async function countMatches(
  proposals: readonly ProposedAgent[],
  counts: UserAgentCounts['counts'],
): Promise<Map<ProposedAgent, number>> {
  const visits = new Map<ProposedAgent, number>();
  // Several feeds can propose the same agent with different definitions.
  const byAgent = new Map<AgentDefinition, ProposedAgent>();
  for (const proposal of proposals) byAgent.set({ ...proposal.record, id: proposal.agent_id }, proposal);
  const matcher = new AgentMatcher([...byAgent.keys()]);
  for (const [index, { user_agent: userAgent, visits: visitCount }] of counts.entries()) {
    if (index % USER_AGENTS_PER_TICK === 0) await setImmediate();
    for (const agent of matcher.findAll(userAgent)) {
      const proposal = byAgent.get(agent)!;
      visits.set(proposal, (visits.get(proposal) ?? 0) + visitCount);
    }
  }
  return visits;
}
