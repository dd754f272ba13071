import { firstIdAt, formatIndices, isBatchId, newBatchId, parseIndices, timeOfId, visitId } from './visit-id.js';

const TIME = Date.parse('2026-11-21T08:30:00.123Z');

describe('batch and visit IDs', () => {
  it('contain the time and leave the index bits zero', () => {
    for (let count = 0; count < 1_000; count += 1) {
      const id = newBatchId(TIME);
      expect(isBatchId(id)).toBe(true);
      expect([timeOfId(id), timeOfId(id.toUpperCase())]).toEqual([TIME, TIME]);
    }
  });

  it('differ within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => newBatchId(TIME));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort in the order of the batch', () => {
    const batch = newBatchId(TIME);
    const ids = [0, 1, 255, 256, 4_999, 8_191].map((index) => visitId(batch, index));
    expect(ids[0]).toBe(batch);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => id.slice(0, 32) === batch.slice(0, 32))).toBe(true);
    expect(() => visitId(batch, 8_192)).toThrow(RangeError);
  });

  it('have a lower bound for each time', () => {
    expect(firstIdAt(TIME) < newBatchId(TIME)).toBe(true);
    expect(firstIdAt(TIME) > newBatchId(TIME - 1)).toBe(true);
    expect(timeOfId(firstIdAt(TIME))).toBe(TIME);
    expect(firstIdAt(-1)).toBe(firstIdAt(0));
  });

  it.each([
    [[0, 1, 2, 3], '0-3'],
    [[0, 2, 3, 8], '0,2-3,8'],
    [[7], '7'],
  ])('format and parse indexes %p', (indices, text) => {
    expect(formatIndices(indices)).toBe(text);
    expect(parseIndices(text)).toEqual(indices);
  });

  it.each(['', 'a', '3-1', '1,1', '5,4', '9000', '-1', '1-', '0-99999999999'])('reject indexes %p', (text) => {
    expect(parseIndices(text)).toBeNull();
  });

  it.each(['', '019a0000-0000-7000-8000-000000000001', '019a0000-0000-4000-8000-000000000000'])(
    'reject %p as a batch ID',
    (text) => {
      expect(isBatchId(text)).toBe(false);
    },
  );
});
