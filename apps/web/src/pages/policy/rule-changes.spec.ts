import type { PolicyRule } from '#libs/contracts';
import { compareRules, describeSplits, isReordered } from './rule-changes.js';

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
    compareRules([rule('a'), rule('b'), rule('c')], [rule('a'), rule('b', { mode: 'dry_run', exceptions }), rule('d')]),
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
