import { TOPICS } from '#libs/contracts';
import { findDeviations } from '../../../test/kit/async-api.js';
import { createDeadLetter as letterOf, type DeadLetterOptions } from './dead-letter.js';
import { DEAD_LETTERS } from './topics/dead-letters.js';

const original = {
  topic: TOPICS.visitsEnriched,
  key: 'a',
  value: Buffer.from([0xff, 0]),
  headers: { ce_id: '1', traceparent: 't' },
  partition: 2,
  offset: '7',
};
const deadLetter = (message: typeof original, deadLetterOptions: DeadLetterOptions) =>
  DEAD_LETTERS.encode(letterOf(message, deadLetterOptions));
const deadLetterOptions = {
  reason: 'malformed_message',
  detail: 'x'.repeat(5_000),
  step: 'test',
  projectId: null,
} as const;

describe('DEAD_LETTERS', () => {
  it('preserves the original key, bytes and headers and adds their origin', () => {
    const letter = deadLetter(original, deadLetterOptions);
    expect(letter).toMatchObject({ topic: TOPICS.visitsDeadLetter, key: 'a', value: original.value });
    expect(letter.headers).toMatchObject({
      dead_letter_topic: TOPICS.visitsEnriched,
      dead_letter_partition: '2',
      dead_letter_offset: '7',
      original_ce_id: '1',
      original_traceparent: 't',
    });
    expect(letter.headers['dead_letter_detail']).toHaveLength(1_000);
    expect(letter.headers['dead_letter_id']).toBe(deadLetter(original, deadLetterOptions).headers['dead_letter_id']);
  });

  it('decodes the dead letters it encodes', () => {
    for (const projectId of [null, '019a0000-0000-7000-8000-000000000000']) {
      const letter = letterOf(original, { ...deadLetterOptions, projectId });
      expect(DEAD_LETTERS.decode(DEAD_LETTERS.encode(letter))).toEqual({ ok: true, value: letter });
    }
  });

  it('decodes any message and assigns it a stable ID', () => {
    const message = { topic: TOPICS.visitsDeadLetter, key: null, value: Buffer.from('x'), headers: {}, offset: '1' };
    const decoded = DEAD_LETTERS.decode(message);
    expect(decoded).toMatchObject({ value: { reason: 'unknown', topic: TOPICS.visitsDeadLetter, projectId: null } });
    expect(DEAD_LETTERS.decode(message)).toMatchObject({ value: { id: decoded.ok && decoded.value.id } });
    expect(DEAD_LETTERS.decode({ ...message, offset: '2' })).not.toMatchObject({
      value: { id: decoded.ok && decoded.value.id },
    });
  });

  it('matches the AsyncAPI document', () => {
    expect(findDeviations(deadLetter(original, deadLetterOptions))).toEqual([]);
    const projectId = '019a0000-0000-7000-8000-000000000000';
    expect(findDeviations(deadLetter(original, { ...deadLetterOptions, projectId }))).toEqual([]);
  });
});
