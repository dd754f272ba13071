import type { InternalClient, InternalRequest } from '#libs/platform';
import type { IdentificationItem } from './api.js';
import { HttpIdentificationApi, type IdentificationQuestion } from './http-api.js';

const SITE = { trustedProxies: {}, hostNames: [] };
const item = (userAgent: string): IdentificationItem => ({
  method: null,
  path: null,
  headers: { 'user-agent': userAgent },
});

/** A catalog that names each agent after its user agent, and answers when it is told to. */
function catalog() {
  const calls: { path: string; characters: number; questions: number }[] = [];
  const gate = Promise.withResolvers<void>();
  const answerOf = ({ items }: IdentificationQuestion) =>
    items.map(({ headers }) => ({ result: 'not_verifiable', agent_token: headers['user-agent'] }));
  const client = {
    async request({ path, body, json }: InternalRequest): Promise<unknown> {
      const text = json ?? JSON.stringify(body);
      const asked = JSON.parse(text) as IdentificationQuestion | IdentificationQuestion[];
      calls.push({ path, characters: text.length, questions: Array.isArray(asked) ? asked.length : 1 });
      await gate.promise;
      return Array.isArray(asked) ? asked.map(answerOf) : answerOf(asked);
    },
  };
  return { api: new HttpIdentificationApi(client as unknown as InternalClient), calls, open: () => gate.resolve() };
}

it('lets questions that wait go together, each with its own answer', async () => {
  const { api, calls, open } = catalog();
  const names = Array.from({ length: 100 }, (_, index) => `agent ${index}`);
  const answers = names.map((name) => api.identify([item(name)], SITE));
  open();
  expect((await Promise.all(answers)).map(([answer]) => answer!.agent_token)).toEqual(names);
  expect(calls.length).toBe(5);
});

it('keeps what goes together far from the largest body', async () => {
  const { api, calls, open } = catalog();
  const names = Array.from({ length: 20 }, (_, index) => `${index} ${'x'.repeat(300_000)}`);
  const large = 'x'.repeat(3_000_000);
  const answers = [...names, large].map((name) => api.identify([item(name)], SITE));
  open();
  expect((await Promise.all(answers)).map(([answer]) => answer!.agent_token)).toEqual([...names, large]);
  const together = calls.filter(({ path }) => path.endsWith('/at-once'));
  expect(Math.max(...together.map(({ characters }) => characters))).toBeLessThan(1_000_100);
  expect(Math.max(...together.map(({ questions }) => questions))).toBe(3);
});
