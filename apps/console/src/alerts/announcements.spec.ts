import type { AnnouncedAlert } from './alerts.repository.js';
import { buildMessages } from './announcements.js';
import type { AlertChangeEvent } from './evaluation.repository.js';

const RULE = {
  id: 'a',
  kind: 'spoofing',
  project_id: 'p',
  project_name: 'Shop',
  project_time_zone: 'Europe/Berlin',
} satisfies AnnouncedAlert;
const EVENT = {
  id: 'e',
  alert_id: 'a',
  project_id: 'p',
  kind: 'spoofing',
  subject: 'agent',
  value: 25,
  usual: null,
  fired_at: new Date('2026-11-20T09:15:00Z'),
  recovered_at: null,
  is_told: true,
  rule: { agent_id: null, agent_type: null, operator: null, window_minutes: 60 },
} satisfies AlertChangeEvent;

const linesAt = (at: string, event: AlertChangeEvent): string[] => {
  const context = { at: new Date(at), publicUrl: 'https://traffic.example', tokenOf: () => 'GPTBot' };
  return buildMessages([event], [RULE], context).flatMap(({ title, lines }) => [title, ...lines]);
};

it("formats times of fired and recovered alerts in the project's time zone", () => {
  expect(linesAt('2026-11-20T09:15:00Z', EVENT)).toEqual([
    'Visits claiming to be GPTBot fail verification',
    '25 visits in an hour claimed to be GPTBot, but failed verification.',
  ]);
  const recovered = { ...EVENT, recovered_at: new Date('2026-11-20T11:15:00Z') };
  expect(linesAt('2026-11-20T11:15:00Z', recovered)).toEqual([
    'Recovered: Visits claiming to be GPTBot fail verification',
    'Recovered. The alert fired on Nov 20, 10:15 (Europe/Berlin): 25 visits in an hour claimed to be GPTBot, but failed verification.',
  ]);
});
