import type { PolicyRule } from '#libs/contracts';
import { compareRules, describeSplits, isReordered, summarizeChanges } from './rule-changes.js';

const rule = (id: string, parts: Partial<PolicyRule> = {}): PolicyRule => ({
  id,
  name: `Rule ${id}`,
  mode: 'live',
  action: { kind: 'refuse' },
  ...parts,
});

it('describes added, removed and changed rules', () => {
  const exceptions = [{ id: 'e', requests: { paths: ['/docs/'] }, action: { kind: 'allow' as const } }];
  expect(
    compareRules(
      { rules: [rule('a'), rule('b'), rule('c')] },
      { rules: [rule('a'), rule('b', { mode: 'dry_run', exceptions }), rule('d')] },
    ),
  ).toEqual([
    {
      id: 'b',
      before: ['Rule b (live) · All known agents: block'],
      after: ['Rule b (dry run) · All known agents: block', '  except these visitors on /docs/: allow'],
    },
    { id: 'c', before: ['Rule c (live) · All known agents: block'], after: [] },
    { id: 'd', before: [], after: ['Rule d (live) · All known agents: block'] },
  ]);
});

it('summarizes the changes between two versions', () => {
  const [a, b] = [rule('a'), rule('b')];
  const dryRun = rule('a', { mode: 'dry_run' });
  expect(summarizeChanges([], [dryRun])).toBe('Added “Rule a” (dry run)');
  expect(summarizeChanges([dryRun], [a])).toBe('“Rule a” went live');
  expect(summarizeChanges([a], [dryRun])).toBe('“Rule a” went back to dry run');
  expect(summarizeChanges([rule('a', { mode: 'off' })], [dryRun])).toBe('“Rule a” started a dry run');
  expect(summarizeChanges([a, b], [b, rule('a', { name: 'New' })])).toBe('Changed “New”, changed the order');
  expect(summarizeChanges([a, b], [])).toBe('Removed “Rule a”, removed “Rule b”');
  expect(
    summarizeChanges(
      [],
      ['a', 'b', 'c', 'd', 'e'].map((id) => rule(id)),
    ),
  ).toBe('Added “Rule a” (live), added “Rule b” (live), added “Rule c” (live), and 2 more');
  expect(summarizeChanges([a], [a])).toBe('No rule changed');
});

it('describes a request in robots.txt', () => {
  const asked = rule('a', { visitors: { agent_types: ['Scraper'] }, action: { kind: 'allow' } });
  expect(
    compareRules({ rules: [] }, { rules: [asked], selection: { agent_types: ['Scraper'], format: 'blocks' } }),
  ).toEqual([{ id: 'a', before: [], after: ['Rule a (live) · Scraper: ask not to visit'] }]);
});

it('detects a different order, regardless of added rules', () => {
  expect(isReordered([rule('a'), rule('b')], [rule('c'), rule('a'), rule('b')])).toBe(false);
  expect(isReordered([rule('a'), rule('b')], [rule('b'), rule('a')])).toBe(true);
});

it('describes types that are split off from a rule', () => {
  const types = (...agent_types: string[]) => ({ visitors: { agent_types } }) as Partial<PolicyRule>;
  expect(
    describeSplits(
      [rule('a', types('Archiver', 'Scraper'))],
      [rule('b', types('Scraper')), rule('a', types('Archiver'))],
    ),
  ).toEqual(['Scraper gets its own rule. “Rule a” continues to apply to Archiver.']);
});
