import { ADDRESS_REASONS, NO_METHOD, SIGNATURE_REASONS } from '#libs/reasons';
import { reasonText } from './reasons.js';

it('has a sentence for every reason', () => {
  const sentences = [...Object.values(SIGNATURE_REASONS), ...Object.values(ADDRESS_REASONS), NO_METHOD];
  expect(sentences.filter((sentence) => !/^[A-Z].{10,110}\.$/.test(sentence))).toEqual([]);
});

it('shows a reason that it does not know', () => {
  expect(reasonText('list_too_old')).toBe(ADDRESS_REASONS.list_too_old);
  expect(reasonText('moon_phase')).toBe('Reason: moon_phase.');
});
