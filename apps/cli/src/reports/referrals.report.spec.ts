import { referralsReport } from './referrals.report.js';

const operator = {
  operator_name: 'OpenAI',
  pages_fetched: 2_408,
  previous_pages_fetched: 9,
  by_purpose: { training: 2_000, search: 300, user: 108, other: 0 },
  referrals: 2,
  previous_referrals: 1,
  is_search_engine: false,
};
const answer = {
  referrals: 12,
  unknown_visits: 240,
  assistants: [
    { assistant: 'ChatGPT', visits: 11 },
    { assistant: '', visits: 1 },
  ],
  operators: [
    operator,
    { ...operator, operator_name: 'Anthropic', referrals: 0 },
    { ...operator, operator_name: 'Perplexity', pages_fetched: 4, referrals: 10 },
  ],
};
const read = (given: object) => referralsReport.read(given as never);

it('lists operators with pages fetched, people referred and their ratio', () => {
  const { summary, headings, rows } = read(answer);
  expect(summary).toBe(
    'At least 12 visits referred by assistants, 5% of visits by unknown visitors: ChatGPT 11, others 1.',
  );
  expect(headings.at(-1)).toBe('CRAWL TO REFERRAL');
  expect(rows).toEqual([
    ['OpenAI', '2,408', '2,000', '300', '108', '0', '2', '1,204:1'],
    ['Anthropic', '2,408', '2,000', '300', '108', '0', '0', '2,408:0'],
    ['Perplexity', '4', '2,000', '300', '108', '0', '10', '1:2.5'],
  ]);
});

it('writes plain numbers to CSV, with an empty ratio if nobody was referred', () => {
  const [head, first, second] = read(answer).csv;
  expect(head).toContain('crawl_to_referral');
  expect(first).toEqual(['OpenAI', 2_408, 2_000, 300, 108, 0, 2, 1_204, 9, 1]);
  expect(second![7]).toBeNull();
});

it('reports zero referrals', () => {
  const { rows, summary } = read({ ...answer, referrals: 0, unknown_visits: 0, assistants: [], operators: [] });
  expect(rows).toEqual([]);
  expect(summary).toBe('At least 0 visits referred by assistants.');
});
