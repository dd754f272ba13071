import type { TestVisit } from '../../api/client.js';
import { getSteps } from './test-steps.js';

const NEW: TestVisit = {
  id: '00000000-0000-7000-8000-000000000000',
  project_id: '00000000-0000-7000-8000-000000000001',
  started_at: '2026-11-21T08:30:00.000Z',
  finished_at: null,
  stage: 'requesting',
  url: 'https://shop.example/',
  outcome: null,
  message: null,
  next_steps: [],
  answer: null,
  report: null,
  refused_request: null,
};
const answer = { status: 200, milliseconds: 34 };
const report = { visit_id: NEW.id, milliseconds: 1_240, result: 'verified' as const, reason: 'ok' };
const finished = (outcome: TestVisit['outcome'], more: Partial<TestVisit> = {}): TestVisit => ({
  ...NEW,
  stage: 'finished',
  outcome,
  ...more,
});

it.each<[string, TestVisit, string]>([
  ['is being sent', NEW, 'running open open open'],
  ['has received a response', { ...NEW, stage: 'waiting', answer }, 'done done running open'],
  ['is verified', finished('arrived', { answer, report }), 'done done done done'],
  [
    'is reported but not verified',
    finished('arrived', { answer, report: { ...report, result: 'not_verifiable' } }),
    'done done done failed',
  ],
  ["can't be sent", finished('connection_refused'), 'failed open open open'],
  ['times out', finished('timed_out'), 'done failed open open'],
  ['is redirected to another site', finished('redirected_away', { answer }), 'done failed open open'],
  ["isn't reported", finished('not_reported', { answer }), 'done done failed open'],
  ['is interrupted while waiting for the report', finished('interrupted', { answer }), 'done done failed open'],
])('returns the step states for a test visit that %s', (_, testVisit, states) => {
  expect(
    getSteps(testVisit)
      .map(({ state }) => state)
      .join(' '),
  ).toBe(states);
});

it('includes status codes and durations in the step names', () => {
  expect(getSteps(finished('arrived', { answer, report })).map(({ name }) => name)).toEqual([
    'Request sent',
    'The site responded with 200 in 34 ms',
    'Reported after 1.24 s',
    'Identified and verified',
  ]);
});
