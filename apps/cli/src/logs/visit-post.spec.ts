import { gunzipSync } from 'node:zlib';
import { Headers } from 'undici';
import { ConnectionError, HttpError } from '../cli-error.js';
import type { TextResponse, SendOptions } from '../client.js';
import { createPost } from './visit-post.js';

const KEY = { 'idempotency-key': 'key-1' };
const done: TextResponse = { status: 204, headers: new Headers({ 'x-visits-rejected': '3' }), text: '' };

function createTestPost(responses: (TextResponse | Error)[], retryPeriodMs = 60_000) {
  const sent: SendOptions[] = [];
  const send = async (_path: string, options: SendOptions): Promise<TextResponse> => {
    sent.push(options);
    const response = responses.shift() ?? done;
    if (response instanceof Error) throw response;
    return response;
  };
  const { signal } = new AbortController();
  const post = createPost({
    client: { send },
    token: 'agt_x',
    retryPeriodMs,
    concurrency: 4,
    signal,
    onWait: () => undefined,
  });
  return { sent, post };
}

it('posts a gzipped body with the idempotency key and the token', async () => {
  const { post, sent } = createTestPost([]);
  expect(await post('[{"a":1}]', KEY)).toEqual({ kind: 'accepted', rejected: 3, repeated: 0 });
  expect(gunzipSync(sent[0]!.body as Uint8Array).toString()).toBe('[{"a":1}]');
  expect(sent[0]).toMatchObject({
    credential: 'agt_x',
    headers: { 'idempotency-key': 'key-1', 'content-encoding': 'gzip', 'content-type': 'application/json' },
  });
});

it('retries if the instance is busy, and distinguishes rejected batches from fatal errors', async () => {
  const invalid = new HttpError(422, { type: 'urn:problem:invalid-body' }, '422: no');
  const busy = new HttpError(503, {}, '503: no', {}, 0);
  expect(await createTestPost([busy, invalid]).post('[]', KEY)).toEqual({ kind: 'refused', reason: '422: no' });
  await expect(createTestPost([new HttpError(401, {}, '401: no')]).post('[]', KEY)).rejects.toThrow('401: no');
});

it('reports the last error and its hint when it stops retrying', async () => {
  const gone = new ConnectionError('No instance answers.', { hint: 'Start it.' });
  await expect(createTestPost([gone, gone, gone, gone], 700).post('[]', KEY)).rejects.toMatchObject({
    message: 'Gave up after 1 s. No instance answers.',
    hint: 'Start it.',
  });
});
