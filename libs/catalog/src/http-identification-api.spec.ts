import { jest } from '@jest/globals';
import type { InternalClient, InternalRequest } from '#libs/platform';
import { HttpIdentificationApi } from './http-identification-api.js';
import type { IdentificationBatch } from './internal-operations.js';

interface RecordedCall {
  request: InternalRequest;
  answer: PromiseWithResolvers<unknown>;
}

const SITE = { trustedProxies: {}, hostNames: [] };
const createItem = (name: string) => ({ method: null, path: null, headers: { 'user-agent': name } });

function createApi() {
  const calls: RecordedCall[] = [];
  const request = (one: InternalRequest): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    calls.push({ request: one, answer });
    return answer.promise;
  };
  return { calls, api: new HttpIdentificationApi({ request } as unknown as InternalClient) };
}

const getUserAgents = ({ request }: RecordedCall): string[] =>
  (JSON.parse(request.json!) as IdentificationBatch[]).map(({ items }) => String(items[0]!.headers['user-agent']));
async function flushEventLoop(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}

it('batches concurrent identification requests', async () => {
  const { api, calls } = createApi();
  for (const name of ['a', 'b', 'c']) void api.identify([createItem(name)], SITE);
  await flushEventLoop();
  expect(calls.map(getUserAgents)).toEqual([['a', 'b', 'c']]);
});

it('queues requests while others are in flight and returns the right result to each', async () => {
  const { api, calls } = createApi();
  const responses: ReturnType<typeof api.identify>[] = [];
  for (let index = 0; index < 10; index += 1) {
    responses.push(api.identify([createItem(`${index}`)], SITE));
    await flushEventLoop();
  }
  expect(calls.map(getUserAgents)).toEqual([['0'], ['1'], ['2'], ['3']]);
  calls[2]!.answer.resolve([[{ result: 'unknown_agent', agent_token: '2' }]]);
  await flushEventLoop();
  expect(getUserAgents(calls[4]!)).toEqual(['4', '5', '6', '7', '8', '9']);
  for (const call of calls)
    call.answer.resolve(getUserAgents(call).map((token) => [{ result: 'verified', agent_token: token }]));
  const tokens = (await Promise.all(responses)).map(([answer]) => answer!.agent_token);
  expect(tokens).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
});

it('resends a request that needs a lookup separately, with the remaining time', async () => {
  const { api, calls } = createApi();
  const slow = api.identify([createItem('slow')], SITE);
  await flushEventLoop();
  calls[0]!.answer.resolve([null]);
  await flushEventLoop();
  const { path, body, timeoutMs } = calls[1]!.request;
  expect(path).toBe('/internal/identifications');
  expect(body).toMatchObject({ items: [createItem('slow')] });
  expect(timeoutMs).toBeLessThanOrEqual(2_000);
  expect((body as IdentificationBatch).timeoutMs).toBeLessThan(timeoutMs!);
  calls[1]!.answer.resolve([{ result: 'verified' }]);
  expect(await slow).toEqual([{ result: 'verified' }]);
});

it("limits lookups to the caller's timeout, measured from the start of the request", async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { api, calls } = createApi();
  for (const lookUpMs of [300, 100, undefined]) void api.identify([createItem(`${lookUpMs}`)], SITE, lookUpMs);
  await flushEventLoop();
  now.mockReturnValue(200);
  calls[0]!.answer.resolve([null, null, null]);
  await flushEventLoop();
  now.mockRestore();
  expect(calls.slice(1).map(({ request }) => (request.body as IdentificationBatch).timeoutMs)).toEqual([100, 0, 1_400]);
});

it("doesn't batch new requests with expiring ones", async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { api, calls } = createApi();
  for (let index = 0; index < 4; index += 1) {
    void api.identify([createItem('stalled')], SITE);
    await flushEventLoop();
  }
  void api.identify([createItem('old')], SITE);
  now.mockReturnValue(1_800);
  void api.identify([createItem('new')], SITE);
  calls[0]!.answer.resolve([[{ result: 'unknown_agent' }]]);
  calls[1]!.answer.resolve([[{ result: 'unknown_agent' }]]);
  await flushEventLoop();
  expect(calls.slice(4).map((call) => [getUserAgents(call), call.request.timeoutMs])).toEqual([
    [['old'], 200],
    [['new'], 2_000],
  ]);
  now.mockRestore();
});

it('sends a large request separately', async () => {
  const { api, calls } = createApi();
  void api.identify([createItem('x'.repeat(300_000))], SITE);
  expect(calls[0]!.request.path).toBe('/internal/identifications');
});

it('rejects all requests in a failed batch, then recovers', async () => {
  const { api, calls } = createApi();
  const first = api.identify([createItem('a')], SITE);
  await flushEventLoop();
  calls[0]!.answer.reject(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  const second = api.identify([createItem('b')], SITE);
  await flushEventLoop();
  calls[1]!.answer.resolve([[{ result: 'unknown_agent' }]]);
  expect(await second).toEqual([{ result: 'unknown_agent' }]);
});
