import type { ReceivedMessage, StepResult } from '#libs/bus';
import { newBatchId, stableVisitId, timeOfId, visitId } from '#libs/contracts';
import * as step from './read-batch.step.js';

/** The value, or the outcome in its place. */
const made = <T>(result: StepResult<T>) => (result.ok ? result.value : result.outcome);
const readBatch = (...of: Parameters<typeof step.readBatch>) => made(step.readBatch(...of));
const readVisit = (...of: Parameters<typeof step.readVisit>) => made(step.readVisit(...of));

const batchId = newBatchId();
const projectId = '019a0000-0000-7000-8000-000000000000';
const message = (value: string, headers: Record<string, string> = {}): ReceivedMessage => ({
  topic: 'visits.received.v1',
  key: batchId,
  value: Buffer.from(value),
  headers: { batch_id: batchId, project_id: projectId, ...headers },
});
const visit = { request_path: '/', request_method: 'GET', request_headers: {} };

describe('readBatch', () => {
  it('opens an array, and a single visit', () => {
    expect(readBatch(message('[{},{}]', { traceparent: 't' }))).toEqual({
      id: batchId,
      projectId,
      receivedAt: timeOfId(batchId),
      receivedAtText: new Date(timeOfId(batchId)).toISOString(),
      envelopeOf: expect.any(Function),
      traceparent: 't',
      itemBytes: 3.5,
      items: [
        { index: 0, id: visitId(batchId, 0), item: {} },
        { index: 1, id: visitId(batchId, 1), item: {} },
      ],
    });
    expect(readBatch(message('{"a":1}'))).toMatchObject({ traceparent: null, items: [{ index: 0, item: { a: 1 } }] });
    expect(readBatch(message('[]'))).toMatchObject({ items: [] });
  });

  it('gives the visits the places they were posted at', () => {
    expect(readBatch(message('[1,2,3]', { indices: '0,7-8' }))).toMatchObject({
      items: [
        { index: 0, item: 1 },
        { index: 7, item: 2 },
        { index: 8, item: 3 },
      ],
    });
  });

  it('gives visits that may be posted again the ids that they came with', () => {
    const ids = [1, 2].map((byte) => stableVisitId(timeOfId(batchId) - 60_000, `${byte}`.repeat(18)));
    expect(readBatch(message('[1,2]', { indices: '3,9', visit_ids: ids.join(',') }))).toMatchObject({
      items: [
        { index: 3, id: ids[0], item: 1 },
        { index: 9, id: ids[1], item: 2 },
      ],
    });
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
  ])('refuses %s', (_, received, detail) => {
    expect(readBatch(received)).toMatchObject({
      kind: 'dead-letter',
      reason: 'malformed_message',
      detail: expect.stringContaining(detail),
    });
  });
});

describe('readVisit', () => {
  it('tells a visit from what is none', () => {
    expect(readVisit(visit, false)).toBe(visit);
    expect(readVisit({}, false)).toMatchObject({
      reason: 'invalid_visit',
      detail: expect.stringContaining('/request_path is required'),
    });
    const deep: unknown = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
    expect(readVisit(deep, true)).toMatchObject({ reason: 'too_deep' });
    const large = { ...visit, note: 'x'.repeat(512 * 1024) };
    expect(readVisit(large, true)).toMatchObject({ reason: 'too_large' });
    expect(readVisit(visit, true)).toBe(visit);
  });
});
