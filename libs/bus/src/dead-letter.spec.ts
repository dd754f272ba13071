import { TOPICS } from '#libs/contracts';
import { undocumented } from '../../../test/kit/async-api.js';
import { deadLetter } from './dead-letter.js';

const original = {
  topic: TOPICS.visitsEnriched,
  key: 'a',
  value: Buffer.from([0xff, 0]),
  headers: { ce_id: '1', traceparent: 't' },
  partition: 2,
  offset: '7',
};
const options = { reason: 'malformed_message', detail: 'x'.repeat(5_000), step: 'test', projectId: null } as const;

describe('deadLetter', () => {
  it('keeps key, bytes and headers, and says where they were', () => {
    const letter = deadLetter(original, options);
    expect(letter).toMatchObject({ topic: TOPICS.visitsDeadLetter, key: 'a', value: original.value });
    expect(letter.headers).toMatchObject({
      dead_letter_topic: TOPICS.visitsEnriched,
      dead_letter_partition: '2',
      dead_letter_offset: '7',
      original_ce_id: '1',
      original_traceparent: 't',
    });
    expect(letter.headers['dead_letter_detail']).toHaveLength(1_000);
    expect(letter.headers['dead_letter_id']).toBe(deadLetter(original, options).headers['dead_letter_id']);
  });

  it('is as the AsyncAPI document says', () => {
    expect(undocumented(deadLetter(original, options))).toEqual([]);
    const projectId = '019a0000-0000-7000-8000-000000000000';
    expect(undocumented(deadLetter(original, { ...options, projectId }))).toEqual([]);
  });
});
