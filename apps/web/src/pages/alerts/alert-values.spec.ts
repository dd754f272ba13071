import type { AlertKind } from '../../api/alerts.js';
import { alertValidators, getMissingInput, createDefaultValues, toAlertBody, toPeriodOptions } from './alert-values.js';

const KIND = {
  kind: 'spike',
  defaults: { threshold: 3.5, minimum: 200, window_minutes: 60, cooldown_minutes: 240, recovery_minutes: 60 },
} as AlertKind;
const VALUES = createDefaultValues(KIND);

it('rejects an empty number instead of treating it as 0', () => {
  expect(alertValidators.threshold('')).toBe('Enter a number.');
  expect(alertValidators.minimum('')).toBe('Enter a number.');
  expect(alertValidators.minimum(0)).toBeNull();
});

it.each(['.', '-', '-.'])('rejects an incomplete number: %s', (typed) => {
  expect(alertValidators.threshold(typed)).toBe('Enter a number.');
  expect(alertValidators.threshold(`${typed}5`)).toBeNull();
});

it.each([
  [{}, null],
  [{ threshold: '' }, 'Enter a number to see the preview.'],
  [{ minimum: '' }, 'Enter a number to see the preview.'],
])('explains which input the preview still requires: %j', (changedValues, expected) =>
  expect(getMissingInput({ ...VALUES, ...changedValues })).toBe(expected),
);

it('offers the current period in addition to the defaults', () => {
  const labels = (present: string, none?: string) =>
    toPeriodOptions([0, 15, 60], present, none).map(({ label }) => label);
  expect(labels('15', 'none')).toEqual(['none', '15 minutes', 'an hour']);
  expect(labels('45', 'none')).toEqual(['none', '15 minutes', '45 minutes', 'an hour']);
});

it.each([
  ['all', { agent_id: null, agent_type: null, operator: null }],
  ['agent:a', { agent_id: 'a', agent_type: null, operator: null }],
  ['type:AI Assistant', { agent_id: null, agent_type: 'AI Assistant', operator: null }],
  ['operator:A: B', { agent_id: null, agent_type: null, operator: 'A: B' }],
])('limits the alert to the scope %s', (scope, expected) =>
  expect(toAlertBody({ ...VALUES, scope }, { ...KIND, scoped_label: 'Visits by {scope} rise' })).toMatchObject(
    expected,
  ),
);
