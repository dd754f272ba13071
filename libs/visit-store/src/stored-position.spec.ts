import { MAX_SHARDS } from '#libs/contracts';
import { positionOf, visitsAfter } from './stored-position.js';

it('keeps the visits of shards apart in one number', () => {
  expect(visitsAfter(41, 0)).toEqual({ after: '41', before: '72057594037927936' });
  expect(visitsAfter(0, MAX_SHARDS - 1).before).toBe(String(BigInt(MAX_SHARDS) << 56n));
});

it('has nothing of other shards in the position of a visit', () => {
  expect(positionOf({ shard: 2, number: 5 })).toEqual([0, 0, 5]);
});
