import { formatDecisions, parseDecisions, type RecordedDecision } from './recorded-decision.js';

const ID = '018f0000-0000-7000-8000-000000000001';

it('parses formatted decisions', () => {
  const decisions: RecordedDecision[] = [
    { outcome: 'slowed', mode: 'live', ruleId: ID },
    { outcome: 'refused', mode: 'dry_run', ruleId: ID },
  ];
  expect(formatDecisions(decisions)).toBe(`slowed;live;${ID}, refused;dry_run;${ID}`);
  expect(parseDecisions(formatDecisions(decisions))).toEqual(decisions);
});

it.each(['', 'slowed', `slowed;off;${ID}`, `slowed;live;${ID}, x`, `slowed;live;${ID},`.repeat(3), 'x'.repeat(10_000)])(
  'ignores other texts',
  (text) => {
    expect(parseDecisions(text)).toEqual([]);
  },
);
