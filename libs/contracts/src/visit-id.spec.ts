import {
  getFirstIdAt,
  formatIndices,
  isBatchId,
  createBatchId,
  parseIndices,
  getTimeFromId,
  createVisitId,
} from './visit-id.js';

const TIME = Date.parse('2026-11-21T08:30:00.123Z');

describe('visit-id', () => {
  it('encodes the time in batch IDs and leaves the index bits zero', () => {
    for (let count = 0; count < 1_000; count += 1) {
      const id = createBatchId(TIME);
      expect(isBatchId(id)).toBe(true);
      expect([getTimeFromId(id), getTimeFromId(id.toUpperCase())]).toEqual([TIME, TIME]);
    }
  });

  it('creates distinct batch IDs within a millisecond', () => {
    const ids = Array.from({ length: 10_000 }, () => createBatchId(TIME));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('creates visit IDs that sort in batch order', () => {
    const batch = createBatchId(TIME);
    const ids = [0, 1, 255, 256, 4_999, 8_191].map((index) => createVisitId(batch, index));
    expect(ids[0]).toBe(batch);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every((id) => id.slice(0, 32) === batch.slice(0, 32))).toBe(true);
    expect(() => createVisitId(batch, 8_192)).toThrow(RangeError);
  });

  it('returns a lower bound for visit IDs created at a given time', () => {
    expect(getFirstIdAt(TIME) < createBatchId(TIME)).toBe(true);
    expect(getFirstIdAt(TIME) > createBatchId(TIME - 1)).toBe(true);
    expect(getTimeFromId(getFirstIdAt(TIME))).toBe(TIME);
    expect(getFirstIdAt(-1)).toBe(getFirstIdAt(0));
  });

  it.each([
    [[0, 1, 2, 3], '0-3'],
    [[0, 2, 3, 8], '0,2-3,8'],
    [[7], '7'],
  ])('formats and parses indexes %p', (indices, text) => {
    expect(formatIndices(indices)).toBe(text);
    expect(parseIndices(text)).toEqual(indices);
  });

  it.each(['', 'a', '3-1', '1,1', '5,4', '9000', '-1', '1-', '0-99999999999'])('rejects indexes %p', (text) => {
    expect(parseIndices(text)).toBeNull();
  });

  it.each(['', '019a0000-0000-7000-8000-000000000001', '019a0000-0000-4000-8000-000000000000'])(
    'rejects %p as a batch ID',
    (text) => {
      expect(isBatchId(text)).toBe(false);
    },
  );
});
