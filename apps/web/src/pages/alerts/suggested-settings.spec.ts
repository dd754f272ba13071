import type { AlertKind } from '../../api/alerts.js';
import { toCandidates } from './suggested-settings.js';

const COUNT = { test: 'count', minimum_of: null, sensitivities: { high: { threshold: 5 } } } as AlertKind;
const RISE = { test: 'rise', minimum_of: 'visits', defaults: { minimum: 200 }, sensitivities: null } as AlertKind;

it('suggests a lower count, and one for a day', () =>
  expect(toCandidates(COUNT, { kind: 'disallowed' })).toEqual([
    { kind: 'disallowed' },
    { kind: 'disallowed', threshold: 5 },
    { kind: 'disallowed', threshold: 10, window_minutes: 1_440 },
  ]));

it('suggests a lower minimum', () =>
  expect(toCandidates(RISE, { kind: 'spike' })).toEqual([
    { kind: 'spike' },
    { kind: 'spike', minimum: 100 },
    { kind: 'spike', minimum: 50 },
  ]));

it('does not change a minimum that is already low', () =>
  expect(toCandidates(RISE, { kind: 'spike', minimum: 20 })).toEqual([{ kind: 'spike', minimum: 20 }]));
