import type { PolicyRule } from '#libs/contracts';
import { compareRules, isReordered } from './rule-changes.js';

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
      before: ['Rule b: All known agents × all requests → refuse (live)'],
      after: ['Rule b: All known agents × all requests → refuse (dry run)', '  except these visitors × /docs/ → allow'],
    },
    { id: 'c', before: ['Rule c: All known agents × all requests → refuse (live)'], after: [] },
    { id: 'd', before: [], after: ['Rule d: All known agents × all requests → refuse (live)'] },
  ]);
});

it('detects a different order, regardless of added rules', () => {
  expect(isReordered([rule('a'), rule('b')], [rule('c'), rule('a'), rule('b')])).toBe(false);
  expect(isReordered([rule('a'), rule('b')], [rule('b'), rule('a')])).toBe(true);
});
