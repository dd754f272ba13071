import { Inject, Injectable } from '@nestjs/common';
import { AgentMatcher, NO_USER_AGENT, patternFault } from '#libs/agents';
import { agentId, peoplesBrowsers } from '#libs/catalog';
import { TRIAL_DAYS, UNLISTED_DIMENSION, type Fault, type PatternTrialResult } from '#libs/contracts';
import { CLOCK, type Clock } from '#libs/platform';
import { SnapshotReader } from '../reading/snapshot-reader.repository.js';
import { DimensionsRepository } from '../statistics/dimensions.repository.js';
import { rangeOf } from '../statistics/time-range.js';
import { countedGroups, type CountedGroup } from './counted-groups.js';

const DAY_MS = 86_400_000;
const TOKEN = 'trial';
/** Signs that a visit of a person's browser may have: none is of how its user agent looks. */
const SIGNS_OF_BROWSERS = new Set(['old_browser', 'no_accept_language', 'robots_txt']);

/** Values that patterns are tried on, the most frequent ones: nobody else is answered meanwhile. */
const MAX_TRIED = 2_000;

/** Tries patterns of an agent to be on what was counted of unlisted programs, and on browsers of people. */
@Injectable()
export class PatternTrialService {
  constructor(
    private readonly reading: SnapshotReader,
    private readonly dimensions: DimensionsRepository,
    @Inject(CLOCK) private readonly now: Clock,
  ) {}

  /** @returns the faults of patterns that no agent can have, which are not run. */
  async run(projectId: string, patterns: readonly string[]): Promise<PatternTrialResult | Fault[]> {
    const faults = patterns.flatMap((pattern, index) => {
      const detail = patternFault(pattern);
      return detail === null ? [] : [{ pointer: `/user_agent_patterns/${index}`, detail }];
    });
    if (faults.length > 0) return faults;
    const matches = matcherOf(patterns);
    const now = this.now();
    const range = rangeOf({ from: now - TRIAL_DAYS * DAY_MS, to: now }, now);
    const counts = await this.reading.read((query) =>
      this.dimensions.spans(query, projectId, range, UNLISTED_DIMENSION),
    );
    const groups = countedGroups(counts.slice(0, MAX_TRIED), null).groups.filter(
      ({ group }) => group !== NO_USER_AGENT && matches(group.replaceAll('*', '1.0')),
    );
    const sum = (of: readonly CountedGroup[]): number => of.reduce((visits, group) => visits + group.visits, 0);
    const browsers = peoplesBrowsers();
    const matching = browsers.filter(matches);
    return {
      from: new Date(range.from).toISOString(),
      groups: groups.length,
      visits: sum(groups),
      browser_visits: sum(groups.filter(({ signs }) => signs.isSubsetOf(SIGNS_OF_BROWSERS))),
      browsers: { tried: browsers.length, matching: matching.length, example: matching[0] ?? null },
    };
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
