import { DEAD_LETTERS, RECEIVED_VISITS, type ReceivedVisits } from '#libs/bus';
import { createBatchId, parseIndices, VISIT_LIMITS, type Visit } from '#libs/contracts';
import { findDeviations } from '../../../../test/kit/async-api.js';
import {
  boundedItem,
  MAX_MESSAGE_BYTES,
  receivedVisits,
  rejectedItem,
  repeatableVisits,
  type PostedVisits,
} from './received-visits.js';

const batch = { batchId: createBatchId(), projectId: '019a0000-0000-7000-8000-000000000000', traceparent: 't' };
const visit = (path: string) => ({ request_path: path, request_method: 'GET', request_headers: {} }) as Visit;
const unchanged: PostedVisits = { bytes: 100, isSingle: false, isUnchanged: true, visitIds: null };
const encode = (received: ReceivedVisits) => RECEIVED_VISITS.encode(received);

describe('received visits', () => {
  it('publishes an object for a single visit and an array for several', () => {
    const published = (isSingle: boolean) =>
      receivedVisits(batch, [{ index: 0, visit: visit('/') }], { ...unchanged, isSingle }).map(encode);
    for (const isSingle of [true, false]) {
      const [message, ...others] = published(isSingle);
      expect(others).toEqual([]);
      expect(JSON.parse(message!.value.toString())).toEqual(isSingle ? visit('/') : [visit('/')]);
      expect(message!.key).toBe(batch.batchId);
      expect(message!.headers).not.toHaveProperty('indices');
    }
  });

  it('matches the AsyncAPI document', () => {
    const visits = [{ index: 1, visit: visit('/') }];
    const faults = (parts: ReceivedVisits[]) => parts.map((part) => findDeviations(encode(part)));
    expect(faults(receivedVisits(batch, visits, unchanged))).toEqual([[]]);
    expect(faults(receivedVisits(batch, visits, { ...unchanged, isSingle: true }))).toEqual([[]]);
    expect(faults(receivedVisits(batch, visits, { ...unchanged, isUnchanged: false }))).toEqual([[]]);
    const repeatable = visits.map((each) => ({ ...each, id: batch.batchId, bytes: 10 }));
    expect(faults(repeatableVisits(batch, repeatable))).toEqual([[]]);
    const letter = rejectedItem(batch, { index: 0, item: 1, faults: [] });
    expect(findDeviations(DEAD_LETTERS.encode(letter))).toEqual([]);
    expect(faults(receivedVisits(batch, [{ index: 0, visit: {} as Visit }], unchanged))[0]).toHaveLength(1);
  });

  it.each([true, false])('splits large batches and preserves item indices (unchanged: %j)', (isUnchanged) => {
    const visits = Array.from({ length: 30 }, (_, position) => ({
      index: position * 2,
      visit: visit('x'.repeat(100_000)),
    }));
    const parts = receivedVisits(batch, visits, { ...unchanged, bytes: 3_000_000, isUnchanged });
    const messages = parts.map(encode);
    expect(messages.length).toBeGreaterThan(3);
    expect(messages.every(({ value }) => value.length <= MAX_MESSAGE_BYTES + 2)).toBe(true);
    expect(messages.map(({ value }) => value.length - 1)).toEqual(parts.map(({ bytes }) => bytes));
    const indices = messages.flatMap(({ headers }) => parseIndices(headers['indices']!)!);
    expect(indices).toEqual(visits.map(({ index }) => index));
    expect(messages.flatMap(({ value }) => JSON.parse(value.toString()) as unknown[])).toEqual(
      visits.map((each) => each.visit),
    );
    expect(parts.flatMap((part) => part.visits)).toEqual(visits.map((each) => each.visit));
  });

  it('splits batches by the size of the serialized JSON instead of the posted body', () => {
    const json = JSON.stringify(Array.from({ length: 40 }, () => ({ ...visit('/'), note: ['1e20'] }))).replaceAll(
      '"1e20"',
      Array.from({ length: 4_000 }, () => '1e20').join(','),
    );
    expect(json.length).toBeLessThan(MAX_MESSAGE_BYTES);
    const visits = (JSON.parse(json) as Visit[]).map((each, index) => ({ index, visit: each }));
    const sizes = receivedVisits(batch, visits, { ...unchanged, bytes: json.length }).map(
      (part) => encode(part).value.length,
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThan(MAX_MESSAGE_BYTES + 2);
  });

  it('splits batches by the known sizes of visits', () => {
    const visits = Array.from({ length: 3 }, (_, index) => ({
      index,
      visit: visit('/'),
      bytes: MAX_MESSAGE_BYTES / 2,
    }));
    const parts = receivedVisits(batch, visits, { ...unchanged, bytes: 1_000_000 });
    expect(parts.map((part) => part.visits.length)).toEqual([1, 1, 1]);
  });

  it("doesn't publish any messages if all items were rejected", () => {
    expect(receivedVisits(batch, [], { ...unchanged, isUnchanged: false })).toEqual([]);
  });

  it('splits repeatable visits and their IDs by line size', () => {
    const visits = Array.from({ length: 5 }, (_, index) => ({
      index,
      visit: visit(`/${index}`),
      id: createBatchId(),
      bytes: 100_000,
    }));
    const parts = repeatableVisits(batch, visits);
    expect(parts.map(({ indices, bytes }) => [indices, bytes])).toEqual([
      [[0, 1], 200_000],
      [[2, 3], 200_000],
      [[4], 100_000],
    ]);
    expect(parts.flatMap(({ visitIds }) => visitIds)).toEqual(visits.map(({ id }) => id));
    expect(encode(parts[0]!).headers['visit_ids']).toBe(`${visits[0]!.id},${visits[1]!.id}`);
  });

  it('derives the same dead-letter ID whenever the same item is rejected', () => {
    const rejected = {
      index: 3,
      item: { request_path: 1 },
      faults: [{ pointer: '/3/request_path', detail: 'must be string' }],
    };
    const letter = rejectedItem(batch, rejected);
    expect(letter.id).toBe(rejectedItem(batch, rejected).id);
    expect(letter.id).not.toBe(rejectedItem(batch, { ...rejected, index: 4 }).id);
    expect(letter.detail).toBe('/3/request_path must be string');
    expect(letter.value.toString()).toBe('{"request_path":1}');
    expect(letter.headers).toMatchObject({ indices: '3', batch_id: batch.batchId });
  });

  it('limits the nesting depth of an item', () => {
    const item: unknown = JSON.parse('{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000));
    const json = JSON.stringify(boundedItem(item));
    expect(json.length).toBeLessThan(1_000);
    expect(json).toContain('nested too deep');
  });

  it('truncates only items that exceed the maximum visit size', () => {
    const large = { request_path: 'x'.repeat(VISIT_LIMITS.itemBytes) };
    expect(boundedItem(large)).toMatch(/^\{"request_path":"x+…$/);
    expect(JSON.stringify(boundedItem(large)).length).toBeLessThan(70_000);
    const small = { request_path: 7, more: [{ a: 'x'.repeat(1_000) }] };
    expect(boundedItem(small)).toEqual(small);
  });
});
