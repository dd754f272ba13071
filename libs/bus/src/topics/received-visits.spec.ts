import { createBatchId, createStableVisitId, getTimeFromId, createVisitId } from '#libs/contracts';
import type { ReceivedMessage } from '../message.js';
import { RECEIVED_VISITS, getReceivedVisitId } from './received-visits.js';

const batchId = createBatchId();
const projectId = '019a0000-0000-7000-8000-000000000000';
const message = (value: string, headers: Record<string, string> = {}): ReceivedMessage => ({
  topic: 'visits.received.v1',
  key: batchId,
  value: Buffer.from(value),
  headers: { batch_id: batchId, project_id: projectId, ...headers },
});
const visit = (path = '/') => ({ request_path: path, request_method: 'GET', request_headers: {} });
const toJson = (...items: unknown[]): string => JSON.stringify(items);

function decodeOrThrow(received: ReceivedMessage) {
  const result = RECEIVED_VISITS.decode(received);
  if (!result.ok) throw new Error(result.outcome.detail);
  const { value, deadLetters = [] } = result;
  return { value, deadLetters, ids: value.visits.map((_, position) => getReceivedVisitId(value, position)) };
}

describe('RECEIVED_VISITS', () => {
  it('decodes an array and a single visit', () => {
    const sentMessage = message(toJson(visit(), visit('/b')), { traceparent: 't' });
    const { value, deadLetters, ids } = decodeOrThrow(sentMessage);
    expect(value).toEqual({
      batchId,
      projectId,
      traceparent: 't',
      visits: [visit(), visit('/b')],
      indices: null,
      visitIds: null,
      isSingle: false,
      bytes: sentMessage.value.length,
    });
    expect(deadLetters).toEqual([]);
    expect(ids).toEqual([createVisitId(batchId, 0), createVisitId(batchId, 1)]);
    expect(decodeOrThrow(message(JSON.stringify(visit()))).value).toMatchObject({
      traceparent: null,
      visits: [visit()],
      isSingle: true,
    });
    expect(decodeOrThrow(message('[]')).value).toMatchObject({ visits: [] });
  });

  it('encodes a decoded batch to the original message', () => {
    const headers = { received_at: new Date(getTimeFromId(batchId)).toISOString(), traceparent: 't', indices: '0,7' };
    const ids = [1, 2].map((byte) => createStableVisitId(getTimeFromId(batchId) - 60_000, `${byte}`.repeat(18)));
    for (const extraHeaders of [{}, { visit_ids: ids.join(',') }] as Record<string, string>[]) {
      const sentMessage = message(toJson(visit(), visit()), { ...headers, ...extraHeaders });
      expect(RECEIVED_VISITS.encode(decodeOrThrow(sentMessage).value)).toEqual(sentMessage);
    }
  });

  it('derives visit IDs from positions in the posted array', () => {
    expect(decodeOrThrow(message(toJson(visit(), visit(), visit()), { indices: '0,7-8' })).ids).toEqual(
      [0, 7, 8].map((index) => createVisitId(batchId, index)),
    );
  });

  it('uses the stable IDs for retryable visits', () => {
    const ids = [1, 2].map((byte) => createStableVisitId(getTimeFromId(batchId) - 60_000, `${byte}`.repeat(18)));
    const sentMessage = message(toJson(visit(), visit()), { indices: '3,9', visit_ids: ids.join(',') });
    expect(decodeOrThrow(sentMessage).ids).toEqual(ids);
  });

  it('turns invalid items into dead letters', () => {
    const items = [visit('/a'), { request_path: 1, kind: 'dead-letter' }, visit('/b')];
    const sentMessage = message(toJson(...items), { traceparent: 't' });
    const { value, deadLetters, ids } = decodeOrThrow(sentMessage);
    expect(value).toMatchObject({ visits: [visit('/a'), visit('/b')], indices: [0, 2] });
    expect(ids).toEqual([createVisitId(batchId, 0), createVisitId(batchId, 2)]);
    expect(RECEIVED_VISITS.encode(value).value.toString()).toBe(toJson(visit('/a'), visit('/b')));
    expect(deadLetters).toMatchObject([
      {
        reason: 'invalid_visit',
        step: 'enrichment:read-batch',
        projectId,
        key: batchId,
        value: Buffer.from('[{"request_path":1,"kind":"dead-letter"}]'),
        headers: { indices: '1', batch_id: batchId, traceparent: 't' },
        detail: expect.stringContaining('/request_path must be string'),
      },
    ]);
  });

  it("passes an invalid item's stable ID to its dead letter", () => {
    const ids = [1, 2].map((byte) => createStableVisitId(getTimeFromId(batchId) - 60_000, `${byte}`.repeat(18)));
    const { value, deadLetters } = decodeOrThrow(message(toJson({}, visit()), { visit_ids: ids.join(',') }));
    expect(value).toMatchObject({ indices: [1], visitIds: [ids[1]] });
    expect(deadLetters).toMatchObject([{ headers: { visit_ids: ids[0], indices: '0' } }]);
  });

  it('preserves the bytes of a message if its only item is invalid', () => {
    const sentMessage = message(' [{}]');
    const { value, deadLetters } = decodeOrThrow(sentMessage);
    expect(value.visits).toEqual([]);
    expect(deadLetters[0]!.value).toBe(sentMessage.value);
    expect(deadLetters[0]).toMatchObject({ headers: sentMessage.headers });
  });

  it('turns the entire message into a dead letter if an item is nested too deep', () => {
    const deep = `[${JSON.stringify(visit())},${'['.repeat(1_000)}${']'.repeat(1_000)}]`;
    const { value, deadLetters } = decodeOrThrow(message(deep));
    expect(value.visits).toEqual([visit()]);
    expect(deadLetters).toMatchObject([{ reason: 'too_deep', value: Buffer.from(deep) }]);
    const large = { ...visit(), note: 'x'.repeat(512 * 1024) };
    expect(decodeOrThrow(message(toJson(visit(), large))).deadLetters).toMatchObject([{ reason: 'too_large' }]);
  });

  it.each([
    ["a body that isn't JSON", message('{'), "isn't valid JSON"],
    ['a deeply nested body', message('['.repeat(500_000)), 'the depth limit at byte 131072'],
    ['an invalid batch ID', message('[]', { batch_id: 'x' }), 'batch_id'],
    ['an invalid project ID', message('[]', { project_id: 'x' }), 'project_id'],
    ["indices that don't match the visits", message('[1,2]', { indices: '0-2' }), 'indices'],
    ['too few visit IDs', message('[1,2]', { visit_ids: createVisitId(batchId, 0) }), 'visit_ids'],
    ['invalid visit IDs', message('[1]', { visit_ids: 'x' }), 'visit_ids'],
    ['invalid indices', message('[1,2]', { indices: 'all' }), 'indices'],
    ['invalid indices for an empty array', message('[]', { indices: 'all' }), 'indices'],
  ])('rejects a message with %s', (_, received, detail) => {
    expect(RECEIVED_VISITS.decode(received)).toMatchObject({
      ok: false,
      outcome: { reason: 'malformed_message', step: 'enrichment:read-batch', detail: expect.stringContaining(detail) },
    });
  });
});
