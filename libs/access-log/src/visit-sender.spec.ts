import { until } from '../../../test/kit/instance.js';
import { VisitSender, type ResponseHeaders, type FailedRequest } from './visit-sender.js';

class RequestError extends Error {
  constructor(readonly failed: FailedRequest) {
    super(failed.message);
  }
}

const failedRequest = (error: unknown): FailedRequest | null => (error instanceof RequestError ? error.failed : null);
const httpError = (status: number, retryAfter?: number): RequestError =>
  new RequestError({ status, message: `${status}: no`, retryAfter });
const noResponse = new RequestError({ status: null, message: 'No response from the instance.' });
const pack = async (body: string): Promise<Uint8Array<ArrayBuffer>> => new TextEncoder().encode(body);
const done: ResponseHeaders = new Headers();

function sender(
  responses: (ResponseHeaders | Error)[],
  { retryFor = 60_000, signal = new AbortController().signal } = {},
) {
  const sent: Record<string, string>[] = [];
  const waits: number[] = [];
  const send = async (_body: unknown, headers: Record<string, string>): Promise<ResponseHeaders> => {
    sent.push(headers);
    const response = responses.shift() ?? done;
    if (response instanceof Error) throw response;
    return response;
  };
  const onWait = (_reason: string, wait: number): void => void waits.push(wait);
  const options = { send, failedRequest, pack, retryPeriodMs: retryFor, concurrency: 4, signal, onWait };
  return { sent, waits, sender: new VisitSender(options) };
}

it('posts a compressed body and returns the number of rejected visits', async () => {
  const { sender: visits, sent } = sender([new Headers({ 'x-visits-rejected': '3' })]);
  expect(await visits.post('[{"a":1}]', { 'idempotency-key': 'key-1' })).toEqual({
    kind: 'accepted',
    rejected: 3,
    repeated: 0,
  });
  expect(sent).toEqual([
    { 'idempotency-key': 'key-1', 'content-encoding': 'gzip', 'content-type': 'application/json' },
  ]);
});

it('retries with the same key after the delay requested by the server', async () => {
  const { sender: visits, sent, waits } = sender([httpError(429, 20), httpError(503, 0)]);
  expect(await visits.post('[]', { 'idempotency-key': 'key-1' })).toEqual({
    kind: 'accepted',
    rejected: 0,
    repeated: 0,
  });
  expect(waits).toEqual([20, 0]);
  expect(new Set(sent.map((headers) => headers['idempotency-key']))).toEqual(new Set(['key-1']));
  expect(sent).toHaveLength(3);
});

it('returns the number of visits that an earlier import already recorded', async () => {
  const { sender: visits } = sender([new Headers({ 'x-visits-repeated': '12', 'x-visits-rejected': '1' })]);
  expect(await visits.post('[]', {})).toEqual({ kind: 'accepted', rejected: 1, repeated: 12 });
});

it('backs off if there is no response and gives up after the retry period', async () => {
  const { sender: visits, waits } = sender([noResponse, noResponse, noResponse, noResponse, noResponse], {
    retryFor: 700,
  });
  await expect(visits.post('[]', {})).rejects.toBe(noResponse);
  expect(waits[0]).toBeGreaterThanOrEqual(375);
  expect(waits.length).toBeLessThan(3);
});

it('keeps retrying a request while others succeed', async () => {
  let [attempts, time] = [0, 0];
  const send = async (_body: unknown, headers: Record<string, string>): Promise<ResponseHeaders> => {
    if (headers['idempotency-key'] !== 'refused' || attempts === 4) return done;
    attempts += 1;
    time += 50_000;
    await visits.post('[]', {});
    throw httpError(500, 0);
  };
  const { signal } = new AbortController();
  const now = () => time;
  const options = { send, failedRequest, pack, retryPeriodMs: 60_000, concurrency: 2, signal, onWait: () => {}, now };
  const visits = new VisitSender(options);
  expect(await visits.post('[]', { 'idempotency-key': 'refused' })).toEqual({
    kind: 'accepted',
    rejected: 0,
    repeated: 0,
  });
  expect(attempts).toBe(4);
});

it.each([
  [422, 'refused'],
  [400, 'refused'],
  [413, 'too-large'],
])('maps status %s to the outcome %s', async (status, kind) => {
  expect(await sender([httpError(status)]).sender.post('[]', {})).toMatchObject({ kind });
});

it("doesn't retry after permanent errors", async () => {
  const { sender: visits, sent } = sender([httpError(401)]);
  await expect(visits.post('[]', {})).rejects.toThrow('401');
  expect(sent).toHaveLength(1);
});

it('stops waiting for a retry when aborted', async () => {
  const controller = new AbortController();
  const { sender: visits, waits } = sender([httpError(429, 50_000)], { signal: controller.signal });
  const posting = visits.post('[]', {});
  await until(() => waits.length === 1, { condition: 'the sender waits' });
  controller.abort();
  await expect(posting).rejects.toThrow('aborted');
});
