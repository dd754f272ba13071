import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALERT_KIND_NAMES, ALERT_KINDS } from '#libs/contracts';
import { eventText } from './alert-text.js';

const baseEvent = { subjectName: 'GPTBot', scopeName: null, usual: null };

it.each([
  [
    { kind: 'spoofing', value: 24, windowMinutes: 60 },
    '24 visits in an hour claimed to be GPTBot, but failed verification.',
  ],
  [
    { kind: 'spoofing', value: 1, windowMinutes: 15 },
    '1 visit in 15 minutes claimed to be GPTBot, but failed verification.',
  ],
  [{ kind: 'disallowed', value: 1, windowMinutes: 120 }, 'GPTBot fetched disallowed pages 1 time in 2 hours.'],
  [
    { kind: 'referral_spike', value: 1, usual: 0, windowMinutes: 60 },
    'AI assistants sent 1 person in an hour (usually 0).',
  ],
  [{ kind: 'drop', value: 1_200, usual: 1, windowMinutes: 1_440 }, 'Agents made 1,200 visits in 24 hours (usually 1).'],
  [{ kind: 'errors', value: 50, windowMinutes: 60 }, 'GPTBot got errors for 50% of its requests in an hour.'],
  [{ kind: 'new_agent', value: 1, windowMinutes: 15 }, 'GPTBot visited for the first time in 30 days.'],
] as const)('describes the event %j', (event, text) => expect(eventText({ ...baseEvent, ...event })).toBe(text));

it('matches the alert kinds listed in docs/alerts.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/alerts.md'), 'utf8');
  const table = page.split('\n\n').find((part) => part.startsWith('| Kind '))!;
  const rows = table.split('\n').slice(2);
  expect(rows.map((row) => row.split('|')[1]!.trim())).toEqual(ALERT_KIND_NAMES.map((kind) => ALERT_KINDS[kind].label));
});
