import type { AlertKind } from '../../api/alerts.js';
import { explainPeriods } from './alert-explanation.js';

const kind = (name: AlertKind['kind'], test: string, minimumOf: string | null = null) =>
  ({ kind: name, test, minimum_of: minimumOf }) as AlertKind;
const condition = { threshold: 20, minimum: 200, window_minutes: 60 };

it.each<[string, AlertKind, { value: number; boundary: number | null }[], string]>([
  [
    'the highest count',
    kind('spoofing', 'count'),
    [
      { value: 3, boundary: 20 },
      { value: 14, boundary: 20 },
    ],
    'at most 14 failed verifications of one agent within an hour (it fires at 20)',
  ],
  [
    'a met condition',
    kind('spike', 'rise', 'visits'),
    [{ value: 300, boundary: 211.2 }],
    '300 visits within an hour (it fires at 212)',
  ],
  [
    'the lowest count',
    kind('drop', 'fall', 'usual visits'),
    [
      { value: 90, boundary: 30.9 },
      { value: 120, boundary: 30 },
    ],
    'never fewer than 90 visits within an hour (it fires at 30)',
  ],
  [
    'a share',
    kind('errors', 'share', 'requests'),
    [{ value: 12.4, boundary: 50 }],
    'at most 12% errors for an agent within an hour (it fires at 50%)',
  ],
  [
    'too few visits',
    kind('spike', 'rise', 'visits'),
    [{ value: 9, boundary: null }],
    'there were always fewer than 200 visits within an hour, the minimum',
  ],
  [
    'too few requests of each agent',
    kind('errors', 'share', 'requests'),
    [],
    'no agent made 200 requests within an hour, the minimum for this alert',
  ],
  [
    'periods without such visits',
    kind('spoofing', 'count'),
    [{ value: 0, boundary: 20 }],
    'there were no failed verifications of one agent',
  ],
  ['no visits', kind('spoofing', 'count'), [], 'there were no failed verifications of one agent'],
  ['kinds without values', kind('robots_missing', 'seen'), [], 'robots.txt was never unavailable for an hour'],
])('explains %s', (_, alertKind, periods, text) => expect(explainPeriods(alertKind, condition, periods)).toBe(text));
