import { newBatchId, stableVisitId, timeOfId, visitId } from '#libs/contracts';
import type { ReceivedMessage } from '../message.js';
import { RECEIVED_VISITS, receivedVisitId } from './received-visits.js';

const batchId = newBatchId();
const projectId = '019a0000-0000-7000-8000-000000000000';
const message = (value: string, headers: Record<string, string> = {}): ReceivedMessage => ({
  topic: 'visits.received.v1',
  key: batchId,
  value: Buffer.from(value),
  headers: { batch_id: batchId, project_id: projectId, ...headers },
});
const visit = (path = '/') => ({ request_path: path, request_method: 'GET', request_headers: {} });
const json = (...items: unknown[]): string => JSON.stringify(items);

function decoded(received: ReceivedMessage) {
  const result = RECEIVED_VISITS.decode(received);
  if (!result.ok) throw new Error(result.outcome.detail);
  const { value, deadLetters = [] } = result;
  return { value, deadLetters, ids: value.visits.map((_, position) => receivedVisitId(value, position)) };
}

describe('RECEIVED_VISITS', () => {
  it('decodes an array and a single visit', () => {
    const sent = message(json(visit(), visit('/b')), { traceparent: 't' });
    const { value, deadLetters, ids } = decoded(sent);
    expect(value).toEqual({
      batchId,
      projectId,
      traceparent: 't',
      visits: [visit(), visit('/b')],
      indices: null,
      visitIds: null,
      isSingle: false,
      bytes: sent.value.length,
    });
    expect(deadLetters).toEqual([]);
    expect(ids).toEqual([visitId(batchId, 0), visitId(batchId, 1)]);
    expect(decoded(message(JSON.stringify(visit()))).value).toMatchObject({
      traceparent: null,
      visits: [visit()],
      isSingle: true,
    });
    expect(decoded(message('[]')).value).toMatchObject({ visits: [] });
  });

  it('encodes a decoded batch back to the original message', () => {
    const headers = { received_at: new Date(timeOfId(batchId)).toISOString(), traceparent: 't', indices: '0,7' };
    const ids = [1, 2].map((byte) => stableVisitId(timeOfId(batchId) - 60_000, `${byte}`.repeat(18)));
    for (const more of [{}, { visit_ids: ids.join(',') }] as Record<string, string>[]) {
      const sent = message(json(visit(), visit()), { ...headers, ...more });
      expect(RECEIVED_VISITS.encode(decoded(sent).value)).toEqual(sent);
    }
  });

  it('identifies visits by their positions in the posted array', () => {
    expect(decoded(message(json(visit(), visit(), visit()), { indices: '0,7-8' })).ids).toEqual(
      [0, 7, 8].map((index) => visitId(batchId, index)),
    );
  });

  it('uses the stable IDs of retryable visits', () => {
    const ids = [1, 2].map((byte) => stableVisitId(timeOfId(batchId) - 60_000, `${byte}`.repeat(18)));
    const sent = message(json(visit(), visit()), { indices: '3,9', visit_ids: ids.join(',') });
    expect(decoded(sent).ids).toEqual(ids);
  });

  it('moves invalid items to dead letters', () => {
    const items = [visit('/a'), { request_path: 1, kind: 'dead-letter' }, visit('/b')];
    const sent = message(json(...items), { traceparent: 't' });
    const { value, deadLetters, ids } = decoded(sent);
    expect(value).toMatchObject({ visits: [visit('/a'), visit('/b')], indices: [0, 2] });
    expect(ids).toEqual([visitId(batchId, 0), visitId(batchId, 2)]);
    expect(RECEIVED_VISITS.encode(value).value.toString()).toBe(json(visit('/a'), visit('/b')));
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

  it('passes the stable ID of an invalid item to its dead letter', () => {
    const ids = [1, 2].map((byte) => stableVisitId(timeOfId(batchId) - 60_000, `${byte}`.repeat(18)));
    const { value, deadLetters } = decoded(message(json({}, visit()), { visit_ids: ids.join(',') }));
    expect(value).toMatchObject({ indices: [1], visitIds: [ids[1]] });
    expect(deadLetters).toMatchObject([{ headers: { visit_ids: ids[0], indices: '0' } }]);
  });

  it('preserves the bytes of a message whose only item is invalid', () => {
    const sent = message(' [{}]');
    const { value, deadLetters } = decoded(sent);
    expect(value.visits).toEqual([]);
    expect(deadLetters[0]!.value).toBe(sent.value);
    expect(deadLetters[0]).toMatchObject({ headers: sent.headers });
  });

  it('dead-letters the entire message for an item nested too deep, and rejects large items', () => {
    const deep = `[${JSON.stringify(visit())},${'['.repeat(1_000)}${']'.repeat(1_000)}]`;
    const { value, deadLetters } = decoded(message(deep));
    expect(value.visits).toEqual([visit()]);
    expect(deadLetters).toMatchObject([{ reason: 'too_deep', value: Buffer.from(deep) }]);
    const large = { ...visit(), note: 'x'.repeat(512 * 1024) };
    expect(decoded(message(json(visit(), large))).deadLetters).toMatchObject([{ reason: 'too_large' }]);
  });

  it.each([
    ['a body that is not JSON', message('{'), 'not JSON'],
    ['a body of nothing but depth', message('['.repeat(500_000)), 'the limit of depth at byte 131072'],
    ['an invalid batch id', message('[]', { batch_id: 'x' }), 'batch_id'],
    ['an invalid project id', message('[]', { project_id: 'x' }), 'project_id'],
    ['indices that do not fit', message('[1,2]', { indices: '0-2' }), 'indices'],
    ['too few ids', message('[1,2]', { visit_ids: visitId(batchId, 0) }), 'visit_ids'],
    ['invalid ids', message('[1]', { visit_ids: 'x' }), 'visit_ids'],
    ['invalid indices', message('[1,2]', { indices: 'all' }), 'indices'],
    ['invalid indices of nothing', message('[]', { indices: 'all' }), 'indices'],
  ])('rejects %s', (_, received, detail) => {
    expect(RECEIVED_VISITS.decode(received)).toMatchObject({
      ok: false,
      outcome: { reason: 'malformed_message', step: 'enrichment:read-batch', detail: expect.stringContaining(detail) },
    });
  });
});
