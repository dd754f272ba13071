import { MAX_SHARDS } from '#libs/contracts';
import { positionOf, visitsAfter } from './stored-position.js';

it('encodes the visits of each shard in a separate range of numbers', () => {
  expect(visitsAfter(41, 0)).toEqual({ after: '41', before: '72057594037927936' });
  expect(visitsAfter(0, MAX_SHARDS - 1).before).toBe(String(BigInt(MAX_SHARDS) << 56n));
});

it('sets only the shard of the visit in its position', () => {
  expect(positionOf({ shard: 2, number: 5 })).toEqual([0, 0, 5]);
});
