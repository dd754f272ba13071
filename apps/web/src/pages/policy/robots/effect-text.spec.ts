import { effectText, literalPrefix } from './effect-text.js';

const COUNTS = { visits: 12, agents: 3, named_visits: 20, disregarding_agents: 1, user_triggered_agents: 0 };

it.each([
  [{}, ' by 3 agents; 1 of them ignores robots.txt.'],
  [{ disregarding_agents: 2 }, ' by 3 agents; 2 of them ignore robots.txt.'],
  [{ disregarding_agents: 0 }, ' by 3 agents; none of the crawlers has ignored robots.txt.'],
  [{ agents: 1, disregarding_agents: null }, ' by 1 agent; it isn’t known yet whether it obeys robots.txt.'],
  [
    { user_triggered_agents: 1 },
    ' by 3 agents; 1 of them ignores robots.txt; 1 fetches on behalf of people, and operators say that robots.txt doesn’t apply to such agents.',
  ],
  [{ agents: 1 }, ' by 1 agent; it ignores robots.txt.'],
  [{ agents: 1, disregarding_agents: 0 }, ' by 1 agent; it has not ignored robots.txt.'],
  [
    { agents: 1, disregarding_agents: 0, user_triggered_agents: 1 },
    ' by 1 agent; it fetches on behalf of people, and operators say that robots.txt doesn’t apply to such agents.',
  ],
  [{ agents: 0, visits: 0 }, ': none of these agents’ visits match.'],
  [{ agents: 0, visits: 0, named_visits: 0 }, ': none of the agents they name visited.'],
])('describes how the rules would have affected visits: %j', (counts, after) => {
  expect(effectText({ ...COUNTS, ...counts })).toEqual({
    before: 'In the last 30 days, these rules would have disallowed ',
    after,
  });
});

it.each([
  ['/', '/'],
  ['/private/', '/private/'],
  ['/private/*.pdf$', '/private/'],
  ['*.pdf', '/'],
  ['private', '/private'],
])('returns the literal prefix of %s', (disallow, prefix) => expect(literalPrefix(disallow)).toBe(prefix));
