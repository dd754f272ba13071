import { Inject, Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { AgentMatcher, NO_USER_AGENT, findPatternFault } from '#libs/agents';
import { agentId, getBrowserUserAgents } from '#libs/catalog';
import { TRIAL_DAYS, UNLISTED_DIMENSION, type Fault, type PatternTrialResult } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { DimensionsRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reads/snapshot-reader.js';
import { resolveRange } from '../statistics/time-range.js';
import { sumByGroup, type GroupCount } from './user-agent-groups.js';

const DAY_MS = 86_400_000;
const TOKEN = 'trial';
/** Signs of automation that also occur in browsers used by people. */
const BROWSER_SIGNS = new Set(['old_browser', 'no_accept_language', 'robots_txt']);

/** Maximum number of counted user agents to try patterns on. The most frequent ones are used. */
const MAX_TRIED_USER_AGENTS = 2_000;
/** Number of user agents to try before yielding to the event loop. */
const USER_AGENTS_PER_TICK = 10;
const TIMEOUT_MS = 5_000;

const TOO_SLOW: Fault[] = [
  {
    pointer: '/user_agent_patterns',
    detail: `must finish within ${TIMEOUT_MS / 1_000} seconds. Try fewer patterns at a time, or shorten their repetitions`,
  },
];

/** Tries a new agent's patterns on counted unlisted programs and on browsers. */
@Injectable()
export class PatternTrialService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /**
   * Returns the matches, or faults if a pattern is invalid or the trial takes too long. Invalid patterns aren't run.
   */
  async run(projectId: string, patterns: readonly string[]): Promise<PatternTrialResult | Fault[]> {
    const faults: Fault[] = [];
    for await (const [index, pattern] of yieldPeriodically(patterns, 1)) {
      const detail = findPatternFault(pattern);
      if (detail !== null) faults.push({ pointer: `/user_agent_patterns/${index}`, detail });
    }
    if (faults.length > 0) return faults;
    const matches = createMatcher(patterns);
    const now = this.now();
    const range = resolveRange({ from: now - TRIAL_DAYS * DAY_MS, to: now }, now);
    const counts = await this.reading.read((snapshot) =>
      this.dimensions.spans(snapshot, projectId, range, UNLISTED_DIMENSION),
    );
    const deadline = performance.now() + TIMEOUT_MS;
    const { groups: all } = sumByGroup(counts.slice(0, MAX_TRIED_USER_AGENTS), null);
    const groups: GroupCount[] = [];
    for await (const [, groupCount] of yieldPeriodically(all)) {
      if (performance.now() > deadline) return TOO_SLOW;
      const { group } = groupCount;
      if (group !== NO_USER_AGENT && matches(group.replaceAll('*', '1.0'))) groups.push(groupCount);
    }
    const sumVisits = (of: readonly GroupCount[]): number => of.reduce((visits, group) => visits + group.visits, 0);
    const browsers = getBrowserUserAgents();
    const matching: string[] = [];
    for await (const [, userAgent] of yieldPeriodically(browsers)) {
      if (performance.now() > deadline) return TOO_SLOW;
      if (matches(userAgent)) matching.push(userAgent);
    }
    return {
      from: new Date(range.from).toISOString(),
      groups: groups.length,
      visits: sumVisits(groups),
      browser_visits: sumVisits(groups.filter(({ signs }) => signs.isSubsetOf(BROWSER_SIGNS))),
      browsers: { tried: browsers.length, matching: matching.length, example: matching[0] ?? null },
    };
  }
}

async function* yieldPeriodically<T>(items: readonly T[], perTick = USER_AGENTS_PER_TICK): AsyncGenerator<[number, T]> {
  for (const [index, item] of items.entries()) {
    if (index % perTick === 0) await setImmediate();
    yield [index, item];
  }
}

function createMatcher(patterns: readonly string[]): (userAgent: string) => boolean {
  const matcher = new AgentMatcher([
    {
      id: agentId(TOKEN),
      token: TOKEN,
      type: 'Uncategorized',
      operator: null,
      url: null,
      user_agent_patterns: [...patterns],
      robots_token: null,
      verification: {},
    },
  ]);
  return (userAgent) => matcher.find(userAgent) !== null;
}
