import type { AlertEvent } from '../../api/alerts.js';
import { describeLength } from './alert-events.js';

const NIGHT = '2026-11-30T22:00:00.000Z';

const toEvent = (alertId: string, recoveredAt: string | null): AlertEvent =>
  ({ alert_id: alertId, fired_at: NIGHT, recovered_at: recoveredAt }) as AlertEvent;

it.each<[string | null, string]>([
  ['2026-12-01T00:15:00.000Z', 'lasted 2 h 15 min'],
  [NIGHT, ''],
  [null, 'still firing'],
])('describes an event that recovered at %s as "%s"', (recoveredAt, text) =>
  expect(describeLength(toEvent('a', recoveredAt))).toBe(text),
);
