import type { AlertKind } from '../../api/alerts.js';
import { formatCondition, formatPreview } from './alert-text.js';

const kind = (test: string, minimumOf: string | null = null) => ({ test, minimum_of: minimumOf }) as AlertKind;

it.each([
  ['count', null, '20 visits within an hour'],
  ['share', 'calls', '20% within an hour, at least 50 calls'],
  ['share_fall', 'visits', '20 points lower within an hour, at least 50 visits'],
  ['rise', 'visits', 'far more than usual within an hour, at least 50 visits'],
  ['silence', 'usual visits in the window', 'no visits within an hour, when at least 50 are usual'],
  ['seen', null, 'within an hour'],
])('describes the condition for the %s test', (test, minimumOf, text) =>
  expect(formatCondition(kind(test, minimumOf), { threshold: 20, minimum: 50, window_minutes: 60 })).toBe(text),
);

it('describes the window and omits a minimum of 0', () => {
  const text = (minutes: 15 | 60 | 1_440) =>
    formatCondition(kind('share', 'calls'), { threshold: 1, minimum: 0, window_minutes: minutes });
  expect(([15, 60, 1_440] as const).map(text)).toEqual([
    '1% within 15 minutes',
    '1% within an hour',
    '1% within 24 hours',
  ]);
});

it.each([
  [0, 'Would not have fired in the last 30 days.'],
  [1, 'Would have fired once in the last 30 days.'],
  [3, 'Would have fired 3 times in the last 30 days.'],
])('describes how often the alert would have fired: %i', (fired, text) => expect(formatPreview(fired, 30)).toBe(text));
