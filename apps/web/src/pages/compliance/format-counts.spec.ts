import { findUnmetRequests, toFormatRows, type FormatCount } from './format-counts.js';

const count = (agent_id: string, requested: string, response: string, visits: number): FormatCount =>
  ({ agent_id, requested, response, visits }) as FormatCount;

const COUNTS = [
  count('a', 'any', 'html', 50),
  count('a', 'markdown', 'html', 3),
  count('b', 'markdown', 'markdown', 9),
  count('b', 'markdown', 'html', 2),
  count('b', 'markdown', 'none', 40),
];

it('sums the counts of all agents by requested format', () => {
  expect(toFormatRows(COUNTS)).toEqual({
    rows: [
      { requested: 'markdown', visits: 54, responses: { html: 5, markdown: 9, none: 40 } },
      { requested: 'any', visits: 50, responses: { html: 50 } },
    ],
    responses: ['html', 'markdown', 'none'],
  });
});

it('finds the agent that got another format instead of Markdown most often', () => {
  expect(findUnmetRequests(COUNTS)).toMatchObject({ agent: { agent_id: 'a' }, requests: 3, unmet: 3 });
  expect(findUnmetRequests(COUNTS.slice(2))).toMatchObject({ agent: { agent_id: 'b' }, requests: 51, unmet: 2 });
  expect(findUnmetRequests(COUNTS.slice(0, 1))).toBeNull();
});
