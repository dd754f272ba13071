import { RobotsRules } from './robots-rules.js';

it('estimates the memory of rules, user agents, and indexes by agent', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `User-agent: agent-${index}\n`).join('');
  const megabytes = (text: string) => new RobotsRules(text).bytes / 1e6;
  expect(megabytes(`User-agent: *\n${'Disallow: /a\n'.repeat(30_000)}`)).toBeGreaterThan(18);
  expect(megabytes(names(25_000))).toBeGreaterThan(6);
  expect(megabytes(`${names(500)}${'Disallow: /a\n'.repeat(8)}`)).toBeGreaterThan(24);
  expect(megabytes(`${names(500)}${'Disallow: /a\n'.repeat(9)}`)).toBeLessThan(0.2);
});
