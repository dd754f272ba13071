import { findDisallowed } from './robots-access.js';

const ROBOTS = 'User-agent: *\nDisallow: /guides/\n\nUser-agent: GPTBot\nDisallow: /archive/\n';

it('lists the agents that a folder is disallowed for', () => {
  expect(findDisallowed(ROBOTS, ['/guides/', '/archive/', '/blog/'], ['GPTBot', 'ClaudeBot'])).toEqual([
    { folder: '/guides/', disallowed: ['ClaudeBot'] },
    { folder: '/archive/', disallowed: ['GPTBot'] },
    { folder: '/blog/', disallowed: [] },
  ]);
});
