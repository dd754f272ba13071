import type { Agent } from '#libs/catalog';
import { robotsTxt } from './robots-txt.js';

const agent = (robots_token: string | null): Agent => ({ robots_token }) as Agent;
const rule = (disallow: string): string => robotsTxt([agent('A')], disallow, 'blocks').split('\n')[1]!;

it('writes a block for each token, in their order, however often and in whatever case an agent has it', () => {
  const agents = ['b', 'A', null, 'C', 'B', 'a'].map(agent);
  expect(robotsTxt(agents, '/', 'blocks')).toBe(
    'User-agent: A\nDisallow: /\n\nUser-agent: B\nDisallow: /\n\nUser-agent: C\nDisallow: /\n',
  );
  expect(robotsTxt(agents.toReversed(), '/', 'blocks')).toBe(robotsTxt(agents, '/', 'blocks'));
  expect(robotsTxt(agents, '/x', 'grouped')).toBe('User-agent: A\nUser-agent: B\nUser-agent: C\nDisallow: /x\n');
});

it('writes nothing for nobody', () => {
  expect(robotsTxt([], '/', 'blocks')).toBe('');
  expect(robotsTxt([agent(null)], '/', 'grouped')).toBe('');
});

it.each([
  ['/', 'Disallow: /'],
  ['', 'Disallow:'],
  ['/private/*.pdf$', 'Disallow: /private/*.pdf$'],
  ['private/', 'Disallow: /private/'],
  ['*.pdf$', 'Disallow: /*.pdf$'],
  ['  /a  ', 'Disallow: /a'],
  ['/a b', 'Disallow: /a%20b'],
  ['/a\u00a0b', 'Disallow: /a%C2%A0b'],
  ['/a#b', 'Disallow: /a%23b'],
  ['/%7Euser/%e4%zz', 'Disallow: /%7Euser/%e4%zz'],
  ['/käse', 'Disallow: /käse'],
  ['?sort=', 'Disallow: /?sort='],
])('writes the path %j as the standard has it', (disallow, line) => {
  expect(rule(disallow)).toBe(line);
});
