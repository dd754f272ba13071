import type { EnrichedVisit } from '#libs/contracts';
import { emptyReport, withVisits, type ChangedVisit } from './report.js';

const judged = (agent: string, result: string): EnrichedVisit =>
  ({
    id: `${agent} ${result}`,
    occurred_at: '2026-11-21T10:00:00.000Z',
    identification: { agent_token: agent, agent_type_name: 'Scraper', result, reason: null },
  }) as unknown as EnrichedVisit;
const changed = (agent: string): ChangedVisit => ({
  before: judged(agent, 'verified'),
  after: judged(agent, 'verification_failed'),
});
const seen = (...agents: string[]) => ({
  visits: agents.length,
  keptMethods: [],
  byUserAgent: 0,
  pastRetention: 0,
  changed: agents.map(changed),
});

it('lists changes in the same order regardless of how visits are split into steps', () => {
  const whole = withVisits(emptyReport(), seen('b', 'a', 'a', 'c', 'c', 'b', 'd'));
  const inSteps = [seen('b', 'a', 'a'), seen('c', 'c'), seen('b', 'd')].reduce(withVisits, emptyReport());
  expect(inSteps).toEqual(whole);
  expect(whole.changes.map(({ from, visits }) => [from.agent_token, visits])).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 2],
    ['d', 1],
  ]);
});
