import { gunzipSync } from 'node:zlib';
import { Headers } from 'undici';
import { ConnectionError, HttpError } from '../cli-error.js';
import type { Answer, SendOptions } from '../client.js';
import { newPost } from './visit-post.js';

const KEY = { 'idempotency-key': 'key-1' };
const done: Answer = { status: 204, headers: new Headers({ 'x-visits-rejected': '3' }), text: '' };

function postOf(answers: (Answer | Error)[], retryFor = 60_000) {
  const sent: SendOptions[] = [];
  const send = async (_path: string, options: SendOptions): Promise<Answer> => {
    sent.push(options);
    const answer = answers.shift() ?? done;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const { signal } = new AbortController();
  const post = newPost({
    client: { send },
    token: 'agt_x',
    retryFor,
    concurrency: 4,
    signal,
    onWait: () => undefined,
  });
  return { sent, post };
}

it('posts a gzipped body with the idempotency key and the token', async () => {
  const { post, sent } = postOf([]);
  expect(await post('[{"a":1}]', KEY)).toEqual({ kind: 'accepted', rejected: 3, repeated: 0 });
  expect(gunzipSync(sent[0]!.body as Uint8Array).toString()).toBe('[{"a":1}]');
  expect(sent[0]).toMatchObject({
    credential: 'agt_x',
    headers: { 'idempotency-key': 'key-1', 'content-encoding': 'gzip', 'content-type': 'application/json' },
  });
});

it('retries when busy, and distinguishes rejected batches from fatal errors', async () => {
  const invalid = new HttpError(422, { type: 'urn:problem:invalid-body' }, '422: no');
  const busy = new HttpError(503, {}, '503: no', {}, 0);
  expect(await postOf([busy, invalid]).post('[]', KEY)).toEqual({ kind: 'refused', reason: '422: no' });
  await expect(postOf([new HttpError(401, {}, '401: no')]).post('[]', KEY)).rejects.toThrow('401: no');
});

it('gives up with the last error and its hint', async () => {
  const gone = new ConnectionError('No instance answers.', { hint: 'Start it.' });
  await expect(postOf([gone, gone, gone, gone], 700).post('[]', KEY)).rejects.toMatchObject({
    message: 'Gave up after trying for 1 s. No instance answers.',
    hint: 'Start it.',
  });
});
