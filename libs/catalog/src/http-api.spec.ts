import { jest } from '@jest/globals';
import type { InternalClient, InternalRequest } from '#libs/platform';
import { HttpIdentificationApi } from './http-api.js';
import type { ItemsToIdentify } from './internal-operations.js';

interface Call {
  request: InternalRequest;
  answer: PromiseWithResolvers<unknown>;
}

const SITE = { trustedProxies: {}, hostNames: [] };
const item = (name: string) => ({ method: null, path: null, headers: { 'user-agent': name } });

function open() {
  const calls: Call[] = [];
  const request = (one: InternalRequest): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    calls.push({ request: one, answer });
    return answer.promise;
  };
  return { calls, api: new HttpIdentificationApi({ request } as unknown as InternalClient) };
}

const asked = ({ request }: Call): string[] =>
  (JSON.parse(request.json!) as ItemsToIdentify[]).map(({ items }) => String(items[0]!.headers['user-agent']));
async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
}

it('sends concurrent requests in one batch', async () => {
  const { api, calls } = open();
  for (const name of ['a', 'b', 'c']) void api.identify([item(name)], SITE);
  await settled();
  expect(calls.map(asked)).toEqual([['a', 'b', 'c']]);
});

it('queues requests while others are in flight and returns each its own result', async () => {
  const { api, calls } = open();
  const answers: ReturnType<typeof api.identify>[] = [];
  for (let index = 0; index < 10; index += 1) {
    answers.push(api.identify([item(`${index}`)], SITE));
    await settled();
  }
  expect(calls.map(asked)).toEqual([['0'], ['1'], ['2'], ['3']]);
  calls[2]!.answer.resolve([[{ result: 'unknown_agent', agent_token: '2' }]]);
  await settled();
  expect(asked(calls[4]!)).toEqual(['4', '5', '6', '7', '8', '9']);
  for (const call of calls)
    call.answer.resolve(asked(call).map((token) => [{ result: 'verified', agent_token: token }]));
  const tokens = (await Promise.all(answers)).map(([answer]) => answer!.agent_token);
  expect(tokens).toEqual(Array.from({ length: 10 }, (_, index) => `${index}`));
});

it('sends an item that requires a lookup in its own request, with the remaining time', async () => {
  const { api, calls } = open();
  const slow = api.identify([item('slow')], SITE);
  await settled();
  calls[0]!.answer.resolve([null]);
  await settled();
  const { path, body, timeoutMs } = calls[1]!.request;
  expect(path).toBe('/internal/identifications');
  expect(body).toMatchObject({ items: [item('slow')] });
  expect(timeoutMs).toBeLessThanOrEqual(2_000);
  expect((body as ItemsToIdentify).timeoutMs).toBeLessThan(timeoutMs!);
  calls[1]!.answer.resolve([{ result: 'verified' }]);
  expect(await slow).toEqual([{ result: 'verified' }]);
});

it('limits a lookup to the timeout of its caller, counted from the request', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { api, calls } = open();
  for (const lookUpMs of [300, 100, undefined]) void api.identify([item(`${lookUpMs}`)], SITE, lookUpMs);
  await settled();
  now.mockReturnValue(200);
  calls[0]!.answer.resolve([null, null, null]);
  await settled();
  now.mockRestore();
  expect(calls.slice(1).map(({ request }) => (request.body as ItemsToIdentify).timeoutMs)).toEqual([100, 0, 1_400]);
});

it('does not batch new requests with expiring ones', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { api, calls } = open();
  for (let index = 0; index < 4; index += 1) {
    void api.identify([item('stalled')], SITE);
    await settled();
  }
  void api.identify([item('old')], SITE);
  now.mockReturnValue(1_800);
  void api.identify([item('new')], SITE);
  calls[0]!.answer.resolve([[{ result: 'unknown_agent' }]]);
  calls[1]!.answer.resolve([[{ result: 'unknown_agent' }]]);
  await settled();
  expect(calls.slice(4).map((call) => [asked(call), call.request.timeoutMs])).toEqual([
    [['old'], 200],
    [['new'], 2_000],
  ]);
  now.mockRestore();
});

it('sends a large item in its own request', async () => {
  const { api, calls } = open();
  void api.identify([item('x'.repeat(300_000))], SITE);
  expect(calls[0]!.request.path).toBe('/internal/identifications');
});

it('rejects the requests of a failed batch, then recovers', async () => {
  const { api, calls } = open();
  const first = api.identify([item('a')], SITE);
  await settled();
  calls[0]!.answer.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = api.identify([item('b')], SITE);
  await settled();
  calls[1]!.answer.resolve([[{ result: 'unknown_agent' }]]);
  expect(await second).toEqual([{ result: 'unknown_agent' }]);
});
