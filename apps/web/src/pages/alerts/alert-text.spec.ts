import type { AlertKind } from '../../api/alerts.js';
import { formatCondition, formatPreview, getAlertName } from './alert-text.js';

const kind = (name: string, test: string, minimumOf: string | null = null) =>
  ({ kind: name, test, minimum_of: minimumOf }) as AlertKind;

it.each([
  [kind('spoofing', 'count'), '20 or more visits that failed verification within an hour'],
  [kind('errors', 'share', 'requests'), '20% errors within an hour, out of at least 50 requests'],
  [
    kind('verified_share', 'share_fall', 'visits'),
    '20 points lower than usual within an hour, out of at least 50 visits',
  ],
  [kind('spike', 'rise', 'visits'), 'far more than usual within an hour, and at least 50 visits'],
  [kind('drop', 'fall', 'usual visits'), 'far fewer than usual within an hour that normally has 50 or more'],
  [kind('no_visits', 'silence', 'usual visits'), 'no visits for an hour that normally has 50 or more'],
  [kind('robots_missing', 'seen'), 'for an hour'],
])('describes the condition of %j', (alertKind, text) =>
  expect(formatCondition(alertKind, { threshold: 20, minimum: 50, window_minutes: 60 })).toBe(text),
);

it('omits a minimum of 0', () =>
  expect(
    formatCondition(kind('errors', 'share', 'requests'), { threshold: 1, minimum: 0, window_minutes: 1_440 }),
  ).toBe('1% errors within 24 hours'));

it('names the alert after its scope', () => {
  const info = { label: 'Visits drop sharply', scoped_label: 'Visits by {scope} drop sharply' } as AlertKind;
  expect([{}, { operator: 'OpenAI' }].map((scope) => getAlertName(info, scope))).toEqual([
    'Visits drop sharply',
    'Visits by OpenAI drop sharply',
  ]);
});

it.each([
  [0, 'Would not have fired in the last 30 days.'],
  [1, 'Would have fired once in the last 30 days.'],
  [3, 'Would have fired 3 times in the last 30 days.'],
])('describes how often the alert would have fired: %i', (fired, text) => expect(formatPreview(fired, 30)).toBe(text));

it.each([
  [0, 0, 'Didn’t fire in the last 30 days.'],
  [3, 3, 'Fired 3 times in the last 30 days.'],
  [3, 1, 'Fired once in the last 30 days. With its current settings, it would have fired 3 times.'],
  [0, 2, 'Fired 2 times in the last 30 days. With its current settings, it wouldn’t have fired.'],
])('describes how often a saved alert fired: %i, %i', (fired, actual, text) =>
  expect(formatPreview(fired, 30, actual)).toBe(text),
);
