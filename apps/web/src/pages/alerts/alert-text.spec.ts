import type { AlertKind } from '../../api/alerts.js';
import { formatPreview, getAlertName } from './alert-text.js';

it('names the alert after its scope', () => {
  const info = { label: 'Visits drop sharply', scoped_label: 'Visits by {scope} drop sharply' } as AlertKind;
  expect([{}, { operator: 'OpenAI' }].map((scope) => getAlertName(info, scope))).toEqual([
    'Visits drop sharply',
    'Visits by OpenAI drop sharply',
  ]);
});

it.each([
  [0, 'Would not have fired in the last 30 days.'],
  [1, 'Would have fired once in the last 30 days.'],
  [3, 'Would have fired 3 times in the last 30 days.'],
])('describes how often the alert would have fired: %i', (fired, text) => expect(formatPreview(fired, 30)).toBe(text));

it.each([
  [0, 0, 'Didn’t fire in the last 30 days.'],
  [3, 3, 'Fired 3 times in the last 30 days.'],
  [3, 1, 'Fired once in the last 30 days. With its current settings, it would have fired 3 times.'],
  [0, 2, 'Fired twice in the last 30 days. With its current settings, it wouldn’t have fired.'],
])('describes how often a saved alert fired: %i, %i', (fired, actual, text) =>
  expect(formatPreview(fired, 30, actual)).toBe(text),
);
