import { ADDRESS_REASONS, IDENTIFICATION_REASONS, reasonText, SIGNATURE_REASONS } from './reasons.js';

it('has a sentence for every reason', () => {
  const sentences = Object.values({ ...SIGNATURE_REASONS, ...ADDRESS_REASONS, ...IDENTIFICATION_REASONS });
  expect(sentences.filter((sentence) => !/^[A-Z].{10,110}\.$/.test(sentence))).toEqual([]);
});

it('shows a reason that it does not know', () => {
  expect(reasonText('list_too_old')).toBe(ADDRESS_REASONS.list_too_old);
  expect(reasonText('moon_phase')).toBe('Reason: moon_phase.');
});
