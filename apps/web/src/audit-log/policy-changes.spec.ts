import type { PolicyRule } from '#libs/contracts';
import type { AuditEntry } from '../api/audit.js';
import { describePolicyChanges } from './policy-changes.js';

const createRule = (mode: PolicyRule['mode']): PolicyRule => ({
  id: 'rule',
  name: 'Impostors',
  mode,
  action: { kind: 'refuse' },
});
const createEntry = (id: string, rules: PolicyRule[], projectId = 'shop') =>
  ({
    id,
    project_id: projectId,
    change: 'created',
    subject: { type: 'policy_version', id, name: null },
    after: { rules },
  }) as unknown as AuditEntry;

const ENTRIES = [
  createEntry('3', [createRule('live')]),
  createEntry('other', [], 'blog'),
  createEntry('2', [createRule('dry_run')]),
  createEntry('1', []),
];

it('compares each published policy with the one before', () => {
  expect([...describePolicyChanges(ENTRIES, {}, true)]).toEqual([
    ['3', '“Impostors” went live'],
    ['2', 'Added “Impostors” (dry run)'],
  ]);
});

it('compares the first policy of a project with no rules if all entries are known', () => {
  expect(describePolicyChanges(ENTRIES, {}, false).get('1')).toBe('No rule changed');
  expect(describePolicyChanges(ENTRIES, { from: '2026-11-24' }, false).has('1')).toBe(false);
});

it('describes nothing if the policy before may be hidden', () => {
  expect(describePolicyChanges(ENTRIES, { actor: 'ada' }, false).size).toBe(0);
});
