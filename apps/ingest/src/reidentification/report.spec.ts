import type { EnrichedVisit } from '#libs/contracts';
import { createReport, addToReport, type ChangedVisit } from './report.js';

const createVisit = (agent: string, result: string): EnrichedVisit =>
  ({
    id: `${agent} ${result}`,
    occurred_at: '2026-11-21T10:00:00.000Z',
    identification: { agent_token: agent, agent_type_name: 'Scraper', result, reason: null },
  }) as unknown as EnrichedVisit;
const createChange = (agent: string): ChangedVisit => ({
  before: createVisit(agent, 'verified'),
  after: createVisit(agent, 'verification_failed'),
});
const createBatch = (...agents: string[]) => ({
  visits: agents.length,
  keptMethods: [],
  byUserAgent: 0,
  pastRetention: 0,
  changed: agents.map(createChange),
});

it('lists changes in the same order regardless of how visits are divided into batches', () => {
  const reportInOneBatch = addToReport(createReport(), createBatch('b', 'a', 'a', 'c', 'c', 'b', 'd'));
  const reportInSteps = [createBatch('b', 'a', 'a'), createBatch('c', 'c'), createBatch('b', 'd')].reduce(
    addToReport,
    createReport(),
  );
  expect(reportInSteps).toEqual(reportInOneBatch);
  expect(reportInOneBatch.changes.map(({ from, visits }) => [from.agent_token, visits])).toEqual([
    ['a', 2],
    ['b', 2],
    ['c', 2],
    ['d', 1],
  ]);
});
