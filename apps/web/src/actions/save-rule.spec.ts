import type { PolicyRule } from '../api/policy.js';
import { insertRule } from './save-rule.js';

const rule = (id: string, name = id): PolicyRule => ({ id, name, mode: 'live', action: { kind: 'refuse' } });
const RULES = [rule('a'), rule('b')];
const place = (before: PolicyRule | null, after: PolicyRule, isFirst = false) =>
  insertRule(RULES, { before, after, isFirst }).map(({ name }) => name);

it('replaces a rule in its position, and adds new ones at the start or the end', () => {
  expect(place(rule('a'), rule('a', 'changed'), true)).toEqual(['changed', 'b']);
  expect(place(null, rule('c'))).toEqual(['a', 'b', 'c']);
  expect(place(null, rule('c'), true)).toEqual(['c', 'a', 'b']);
});
