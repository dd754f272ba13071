import { parseContentSignal } from './content-signal.js';

it.each([
  ['search=yes, ai-input=no,AI-Train=No', { search: true, 'ai-input': false, 'ai-train': false }, null],
  ['search=yes,ai-train=no,use=reference', { search: true, 'ai-train': false }, 'reference'],
  ['use=immediate', {}, 'immediate'],
  ['use=full, search=maybe', {}, 'full'],
  ['use=everything, =, ,search', {}, null],
  ['ai-train=yes, ai-train=no', { 'ai-train': false }, null],
])('parses %s', (text, preferences, use) => {
  const signal = parseContentSignal(text);
  expect(signal.use).toBe(use);
  expect(Object.fromEntries(signal.preferences.map(({ name, isAllowed }) => [name, isAllowed]))).toEqual(preferences);
});
