import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { DnsAnswer, EvidenceSources } from '#libs/agents';
import { bundledIdentifier, NO_SOURCES } from '../../../../test/kit/identifier.js';
import { IdentificationService } from './identification.service.js';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const SITE = { trustedProxies: {}, hostNames: [] };

const itemOf = (address: string) => ({
  method: null,
  path: null,
  headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': address },
});

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

it('checks every item of a long list even if the first uses up the time limit', async () => {
  const sources: EvidenceSources = {
    ...NO_SOURCES,
    dns: {
      hostNames: ({ text }) =>
        new Promise<DnsAnswer>((resolve) => {
          if (text !== '203.0.113.1') setTimeout(() => resolve({ values: ['crawl.googlebot.com'] }), 20);
        }),
      addresses: () => ({ values: ['203.0.113.2'] }),
    },
  };
  const items = Array.from({ length: 250 }, (_, index) => itemOf(index === 0 ? '203.0.113.1' : '203.0.113.2'));
  const service = new IdentificationService(bundledIdentifier(sources));
  const answer = service.identify(items, SITE, 500);
  // All slices have started before the clock advances.
  for (let slice = 0; slice < 3; slice += 1) await setImmediate();
  await jest.advanceTimersByTimeAsync(500);
  expect((await answer).map(({ result }) => result)).toEqual(['not_verifiable', ...Array(249).fill('verified')]);
});

it.each(['identify', 'explain'] as const)('responds after 1.5 seconds if DNS never does (%s)', async (call) => {
  const never = () => new Promise<never>(() => undefined);
  const sources = { ...NO_SOURCES, dns: { hostNames: never, addresses: never } };
  const service = new IdentificationService(bundledIdentifier(sources));
  const item = itemOf('203.0.113.1');
  const answer = call === 'identify' ? service.identify([item], SITE) : service.explain(item, SITE);
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  await jest.advanceTimersByTimeAsync(1_499);
  expect(isAnswered).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(isAnswered).toBe(true);
  expect(JSON.stringify(await answer)).toContain('"result":"not_verifiable"');
});
