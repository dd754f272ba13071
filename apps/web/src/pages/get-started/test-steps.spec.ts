import type { TestVisit } from '../../api/client.js';
import { stepsOf } from './test-steps.js';

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
  ['is sent', NEW, 'running open open open'],
  ['is answered', { ...NEW, stage: 'waiting', answer }, 'done done running open'],
  ['is verified', finished('arrived', { answer, report }), 'done done done done'],
  [
    'arrives, and is not verified',
    finished('arrived', { answer, report: { ...report, result: 'not_verifiable' } }),
    'done done done failed',
  ],
  ['cannot be sent', finished('connection_refused'), 'failed open open open'],
  ['is not answered', finished('timed_out'), 'done failed open open'],
  ['leads away', finished('redirected_away', { answer }), 'done failed open open'],
  ['is not reported', finished('not_reported', { answer }), 'done done failed open'],
  ['is interrupted while it waits', finished('interrupted', { answer }), 'done done failed open'],
])('returns the states of a test visit that %s', (_, testVisit, states) => {
  expect(
    stepsOf(testVisit)
      .map(({ state }) => state)
      .join(' '),
  ).toBe(states);
});

it('shows how long the steps took', () => {
  expect(stepsOf(finished('arrived', { answer, report })).map(({ name }) => name)).toEqual([
    'Request sent',
    'The site answered 200 in 34 ms',
    'Reported after 1,240 ms',
    'Identified and verified',
  ]);
});
