import type { PolicyRule } from '#libs/contracts';
import { findRuleHistory } from './rule-history.js';

const rule = (mode: PolicyRule['mode'], exceptions: string[] = []): PolicyRule => ({
  id: 'rule',
  name: 'Rule',
  mode,
  action: { kind: 'refuse' },
  exceptions: exceptions.map((id) => ({ id, action: { kind: 'allow' } })),
});
/** @param modes Modes of the rule by version, oldest first. Null if the version doesn't contain the rule. */
const history = (...modes: (PolicyRule['mode'] | null)[]) =>
  findRuleHistory(
    modes.map((mode, day) => ({ saved_at: new Date(day), rules: mode === null ? [] : [rule(mode)] })).toReversed(),
    'rule',
  );

it('finds when a rule last went live, and when it stopped', () => {
  expect(history('dry_run', 'live', 'live')).toMatchObject({ liveSince: 1, liveUntil: null });
  expect(history('live', 'off', 'live', 'live', 'dry_run', null)).toMatchObject({ liveSince: 2, liveUntil: 4 });
  expect(history('live')).toMatchObject({ liveSince: 0, liveUntil: null });
  expect(history(null, 'dry_run')).toMatchObject({ liveSince: null, liveUntil: null });
  expect(history(null)).toBeNull();
});

it('includes all exceptions that the rule ever had', () => {
  const versions = [rule('live', ['b']), rule('live', ['a'])].map((one, day) => ({
    saved_at: new Date(day),
    rules: [one],
  }));
  expect(findRuleHistory(versions, 'rule')?.ids).toEqual(['rule', 'b', 'a']);
  expect(findRuleHistory(versions, 'a')).toMatchObject({ ids: ['a'], liveSince: 1, liveUntil: 0 });
});
