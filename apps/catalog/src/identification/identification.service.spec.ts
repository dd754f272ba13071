import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { DnsResult, EvidenceSources } from '#libs/agents';
import { createBundledIdentifier, UNAVAILABLE_SOURCES } from '../../../../test/kit/identifier.js';
import { IdentificationService } from './identification.service.js';

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const SITE = { trustedProxies: {}, hostNames: [] };

const createItem = (address: string) => ({
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

it('checks every item in a long list even if the first one uses up the time limit', async () => {
  const sources: EvidenceSources = {
    ...UNAVAILABLE_SOURCES,
    dns: {
      hostNames: ({ text }) =>
        new Promise<DnsResult>((resolve) => {
          if (text !== '203.0.113.1') setTimeout(() => resolve({ values: ['crawl.googlebot.com'] }), 20);
        }),
      addresses: () => ({ values: ['203.0.113.2'] }),
    },
  };
  const items = Array.from({ length: 250 }, (_, index) => createItem(index === 0 ? '203.0.113.1' : '203.0.113.2'));
  const service = new IdentificationService(createBundledIdentifier(sources));
  const response = service.identify(items, SITE, 500);
  // Let all slices start before the clock advances.
  for (let slice = 0; slice < 3; slice += 1) await setImmediate();
  await jest.advanceTimersByTimeAsync(500);
  expect((await response).map(({ result }) => result)).toEqual(['not_verifiable', ...Array(249).fill('verified')]);
});

it.each(['identify', 'explain'] as const)('%s responds after 1.5 seconds if DNS never responds', async (call) => {
  const resolveNever = () => new Promise<never>(() => undefined);
  const sources = { ...UNAVAILABLE_SOURCES, dns: { hostNames: resolveNever, addresses: resolveNever } };
  const service = new IdentificationService(createBundledIdentifier(sources));
  const item = createItem('203.0.113.1');
  const response = call === 'identify' ? service.identify([item], SITE) : service.explain(item, SITE);
  let isResolved = false;
  void response.then(() => (isResolved = true));
  await jest.advanceTimersByTimeAsync(1_499);
  expect(isResolved).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(isResolved).toBe(true);
  expect(JSON.stringify(await response)).toContain('"result":"not_verifiable"');
});
