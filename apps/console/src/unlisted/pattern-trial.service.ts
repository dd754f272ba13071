import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as turn } from 'node:timers/promises';
import { AgentMatcher, NO_USER_AGENT, patternFault } from '#libs/agents';
import { agentId, peoplesBrowsers } from '#libs/catalog';
import { TRIAL_DAYS, UNLISTED_DIMENSION, type Fault, type PatternTrialResult } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { DimensionsRepository } from '#libs/visit-store';
import { SnapshotReader } from '../reading/snapshot-reader.js';
import { rangeOf } from '../statistics/time-range.js';
import { countedGroups, type CountedGroup } from './counted-groups.js';

const DAY_MS = 86_400_000;
const TOKEN = 'trial';
/** Signs of automation that people's browsers can have, too. */
const SIGNS_OF_BROWSERS = new Set(['old_browser', 'no_accept_language', 'robots_txt']);

/** Maximum number of counted values to try patterns on. The most frequent are used. */
const MAX_TRIED = 2_000;
/** User agents to try before yielding to the event loop. */
const PER_TURN = 10;
const TIMEOUT_MS = 5_000;

const TOO_SLOW: Fault[] = [
  {
    pointer: '/user_agent_patterns',
    detail: `must be tried within ${TIMEOUT_MS / 1_000} seconds: try fewer at a time, or shorten their repetitions`,
  },
];

/** Tries patterns for a new agent on the counted unlisted programs, and on browsers. */
@Injectable()
export class PatternTrialService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** @returns the matches, or faults. Invalid patterns aren't run. */
  async run(projectId: string, patterns: readonly string[]): Promise<PatternTrialResult | Fault[]> {
    const faults: Fault[] = [];
    for await (const [index, pattern] of inTurns(patterns, 1)) {
      const detail = patternFault(pattern);
      if (detail !== null) faults.push({ pointer: `/user_agent_patterns/${index}`, detail });
    }
    if (faults.length > 0) return faults;
    const matches = matcherOf(patterns);
    const now = this.now();
    const range = rangeOf({ from: now - TRIAL_DAYS * DAY_MS, to: now }, now);
    const counts = await this.reading.read((snapshot) =>
      this.dimensions.spans(snapshot, projectId, range, UNLISTED_DIMENSION),
    );
    const end = performance.now() + TIMEOUT_MS;
    const { groups: all } = countedGroups(counts.slice(0, MAX_TRIED), null);
    const groups: CountedGroup[] = [];
    for await (const [, counted] of inTurns(all)) {
      if (performance.now() > end) return TOO_SLOW;
      const { group } = counted;
      if (group !== NO_USER_AGENT && matches(group.replaceAll('*', '1.0'))) groups.push(counted);
    }
    const sum = (of: readonly CountedGroup[]): number => of.reduce((visits, group) => visits + group.visits, 0);
    const browsers = peoplesBrowsers();
    const matching: string[] = [];
    for await (const [, userAgent] of inTurns(browsers)) {
      if (performance.now() > end) return TOO_SLOW;
      if (matches(userAgent)) matching.push(userAgent);
    }
    return {
      from: new Date(range.from).toISOString(),
      groups: groups.length,
      visits: sum(groups),
      browser_visits: sum(groups.filter(({ signs }) => signs.isSubsetOf(SIGNS_OF_BROWSERS))),
      browsers: { tried: browsers.length, matching: matching.length, example: matching[0] ?? null },
    };
  }
}

async function* inTurns<T>(items: readonly T[], perTurn = PER_TURN): AsyncGenerator<[number, T]> {
  for (const [index, item] of items.entries()) {
    if (index % perTurn === 0) await turn();
    yield [index, item];
  }
}

function matcherOf(patterns: readonly string[]): (userAgent: string) => boolean {
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
