import { ALERT_KIND_NAMES } from '#libs/contracts';
import { toEvidencePath } from './evidence-path.js';

const EVENT = {
  projectId: 'p',
  agentToken: 'GPTBot',
  agentType: null,
  operator: null,
  firedAt: new Date('2026-11-20T09:15:00Z'),
  windowMinutes: 60,
};

it('links to the visits that failed verification', () =>
  expect(toEvidencePath({ ...EVENT, kind: 'spoofing' })).toBe(
    '/projects/p/visits?from=2026-11-20T08%3A15%3A00.000Z&to=2026-11-20T09%3A15%3A00.000Z&agent=GPTBot&result=verification_failed',
  ));

it('includes the day before if the alert compares with it', () =>
  expect(toEvidencePath({ ...EVENT, kind: 'spike', agentToken: null, operator: 'OpenAI' })).toBe(
    '/projects/p/visits?from=2026-11-19T08%3A15%3A00.000Z&to=2026-11-20T09%3A15%3A00.000Z&operator=OpenAI',
  ));

it('filters errors by both status classes', () =>
  expect(new URLSearchParams(toEvidencePath({ ...EVENT, kind: 'errors' }).split('?')[1]).getAll('status')).toEqual([
    '4xx',
    '5xx',
  ]));

it('links to the server errors of all agents', () =>
  expect(toEvidencePath({ ...EVENT, kind: 'server_errors', agentToken: null })).toMatch(
    /&status=5xx&not_result=unknown_agent$/,
  ));

it.each(ALERT_KIND_NAMES)('returns a path within the project for %s', (kind) =>
  expect(toEvidencePath({ ...EVENT, kind })).toMatch(/^\/projects\/p\/[a-z]+(\?|$)/),
);
