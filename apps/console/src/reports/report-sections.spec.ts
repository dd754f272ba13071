import type { Referrals } from '#libs/contracts';
import { describeReferrals } from './report-sections.js';

const operator = (name: string, pages: number, people: number, isSearchEngine = false, previously = people) => ({
  operator_name: name,
  pages_fetched: pages,
  referrals: people,
  previous_referrals: previously,
  is_search_engine: isSearchEngine,
});

const describeOperators = (...operators: ReturnType<typeof operator>[]) => {
  const referrals = operators.reduce((sum, one) => sum + one.referrals, 0);
  return describeReferrals({ referrals, previous_referrals: referrals, operators } as Referrals, true, (page) => page);
};

it('lists the operators that sent people, and sums up the others in a sentence', () => {
  const section = describeOperators(
    operator('Meta', 30, 0),
    operator('OpenAI', 100, 10),
    operator('Google', 500, 4, true),
    operator('Apple', 20, 0),
    operator('ByteDance', 10, 0),
    operator('Amazon', 1, 0),
  )!;
  expect(section.text).toBe(
    'Not counting search engines, these companies fetched 10 pages for each person they sent. Meta, Apple, and 2 other companies fetched 61 pages but sent no one.',
  );
  expect(section.rows.map(({ label, value, detail }) => `${label}: ${value} ${detail}`)).toEqual([
    'OpenAI: 10 fetched 100 pages, 10 for each person',
    'Google: 4 search engine, not counted in the ratio',
  ]);
});

it('describes operators that sent no one in one sentence', () => {
  const section = describeOperators(operator('Meta', 1, 0))!;
  expect([section.text, section.rows]).toEqual([
    'AI assistants sent no one, while their operators fetched 1 page.',
    [],
  ]);
});

it('lists operators that no longer send people, and sums up those after the first five', () => {
  const senders = [6, 5, 4, 3, 2, 1].map((people) => operator(`Sender ${people}`, 1, people));
  const section = describeOperators(...senders, operator('Silent', 90, 0), operator('Former', 8, 0, false, 7))!;
  expect(section.rows.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Sender 6: 6',
    'Sender 5: 5',
    'Sender 4: 4',
    'Sender 3: 3',
    'Sender 2: 2',
    '2 other companies: 1',
  ]);
  expect(section.text).toMatch(/ Silent fetched 90 pages but sent no one\.$/);
});

it('leaves companies that no longer send people out of the ratio of the other companies', () => {
  const senders = [19, 18, 17, 16, 15, 6].map((people) => operator(`Sender ${people}`, 10 * people, people));
  const section = describeOperators(...senders, operator('Former', 440, 0, false, 7))!;
  expect(section.rows.at(-1)).toMatchObject({
    label: '2 other companies',
    value: '6',
    detail: 'fetched 500 pages, 10 for each person',
  });
});

it('leaves the section out if nothing was fetched and no one was sent', () => {
  expect(describeOperators()).toBeNull();
});
