import type { Overview } from '../../api/statistics.js';
import type { FilterSet } from '../../filters/filter-set.js';
import { getShownFigures } from './shown-figures.js';

const totals = (agentVisits: number, agents: number, unknown: number) => ({
  agent_visits: agentVisits,
  agents,
  unknown_agent: unknown,
});
const overview = (now: ReturnType<typeof totals>, then: ReturnType<typeof totals>, ai: number, aiBefore = ai) =>
  ({
    current: now,
    previous: then,
    series: [{ by_type: { 'AI Data Scraper': ai } }],
    previous_series: [{ by_type: { 'AI Data Scraper': aiBefore } }],
  }) as unknown as Overview;

const show = (filters: FilterSet, ...args: Parameters<typeof overview>): string[] =>
  Object.entries(getShownFigures(overview(...args), filters))
    .filter(([, isShown]) => isShown === true)
    .map(([name]) => name);

it('shows all figures without filters', () => {
  const nothing = totals(0, 0, 0);
  expect(show({}, nothing, nothing, 0)).toEqual(['hasAi', 'hasAgents', 'hasVerdicts', 'hasOthers']);
});

it('hides figures that the filters determine', () => {
  expect(show({ agent: ['GPTBot'] }, totals(261, 1, 0), totals(143, 1, 0), 261, 143)).toEqual(['hasVerdicts']);
  expect(show({ result: ['verification_failed'] }, totals(324, 8, 0), totals(130, 6, 0), 200, 90)).toEqual([
    'hasAi',
    'hasAgents',
  ]);
  expect(show({ type: ['SEO Crawler'] }, totals(90, 3, 0), totals(80, 3, 0), 0)).toEqual(['hasAgents', 'hasVerdicts']);
  expect(show({ page: ['/'] }, totals(90, 3, 50), totals(80, 3, 0), 9)).toEqual([
    'hasAi',
    'hasAgents',
    'hasVerdicts',
    'hasOthers',
  ]);
  expect(show({ result: ['unknown_agent'] }, totals(0, 0, 348), totals(0, 0, 290), 0)).toEqual([]);
});
