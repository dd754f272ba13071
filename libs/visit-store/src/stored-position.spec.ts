import { MAX_SHARDS } from '#libs/contracts';
import { toStreamPosition, boundsAfter } from './stored-position.js';

it('assigns a separate range of numbers to each shard', () => {
  expect(boundsAfter(41, 0)).toEqual({ after: '41', before: '72057594037927936' });
  expect(boundsAfter(0, MAX_SHARDS - 1).before).toBe(String(BigInt(MAX_SHARDS) << 56n));
});

it('advances only the shard that contains the visit', () => {
  expect(toStreamPosition({ shard: 2, number: 5 })).toEqual([0, 0, 5]);
});
