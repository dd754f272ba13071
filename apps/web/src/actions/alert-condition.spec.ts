import type { AlertKind } from '../api/alerts.js';
import { formatCondition } from './alert-condition.js';

const kind = (name: string, test: string, minimumOf: string | null = null) =>
  ({ kind: name, test, minimum_of: minimumOf }) as AlertKind;

it.each([
  [kind('spoofing', 'count'), '20 or more visits that failed verification within an hour'],
  [kind('errors', 'share', 'requests'), '20% errors within an hour, out of at least 50 requests'],
  [kind('server_errors', 'share', 'requests'), '20% server errors within an hour, out of at least 50 requests'],
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
