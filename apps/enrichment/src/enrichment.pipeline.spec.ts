import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { parseKeySet, signWebBotAuthRequest, type DnsResult, type EvidenceSources } from '#libs/agents';
import { Bus, OK, type EnrichedEvent, type OutboundTopic, type ReceivedVisits } from '#libs/bus';
import { InMemoryKeyValueStore } from '#libs/cache';
import { getBundledCatalog, compileCatalog, type CurrentCatalog } from '#libs/catalog';
import { createBatchId, createVisitId, type EnrichedVisit, type UnknownVisitors } from '#libs/contracts';
import { VisitInsights } from '#libs/enrichment';
import { createReceivedVisits } from '../../../test/kit/received-visits.js';
import { createBundledIdentifier, UNAVAILABLE_SOURCES } from '../../../test/kit/identifier.js';
import { EnrichmentPipeline } from './enrichment.pipeline.js';
import { PolicyProofsService } from './policy-proofs.service.js';
import type { ProjectSettingsService } from './project-settings.service.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const NOW = Date.parse('2026-11-21T08:00:00Z');
const MINUTE_MS = 60_000;
const LOOKUP_TIMEOUT_MS = 500;
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const CONTEXT = { deadline: Infinity };

const CATALOG = {
  current: compileCatalog({ ...getBundledCatalog(), dataCenterRanges: ['11.1.0.0/16'] }),
} as CurrentCatalog;

/** Creates a pipeline whose bus only records published events. */
function createPipeline(
  sources: EvidenceSources,
  clock: () => number,
  hasProject = true,
  unknownVisitors: UnknownVisitors = 'kept',
) {
  const published: EnrichedEvent[] = [];
  const publish = async (_topic: OutboundTopic<EnrichedEvent>, events: EnrichedEvent[], context: object) => {
    expect(context).toBe(CONTEXT);
    published.push(...events);
  };
  const bus = { publish } as unknown as Bus;
  const settings = {
    find: async () => (hasProject ? { trustedProxies: {}, hostNames: [], unknownVisitors } : undefined),
  } as unknown as ProjectSettingsService;
  const logger = pino({ level: 'silent' });
  const robots = { judgeAll: async () => [] } as unknown as ConstructorParameters<typeof VisitInsights>[1];
  const insights = new VisitInsights(CATALOG, robots);
  const identifier = createBundledIdentifier(sources, clock);
  const proofs = new PolicyProofsService(new InMemoryKeyValueStore());
  const pipeline = new EnrichmentPipeline(bus, settings, identifier, insights, proofs, logger);
  return {
    bus,
    published,
    outcomes: (requests: ReceivedVisits[]) => pipeline.run(requests, CONTEXT),
    run: async (requests: ReceivedVisits[]): Promise<EnrichedVisit[]> => {
      published.length = 0;
      await pipeline.run(requests, CONTEXT);
      return published.map(({ visit }) => visit);
    },
  };
}

const createBatch = (time: number, visits: object[]): ReceivedVisits =>
  createReceivedVisits({ id: createBatchId(time), projectId: PROJECT }, visits);

const visit = (headers: Record<string, string>, extra: object = {}) => ({
  request_path: '/',
  request_method: 'GET',
  request_headers: headers,
  ...extra,
});

it('publishes all visits in order, with IDs derived from their batch and position', async () => {
  const { outcomes, published } = createPipeline(UNAVAILABLE_SOURCES, () => NOW);
  const mixed = createBatch(NOW, [visit({ 'user-agent': 'a' }), { request_path: 1 }, visit({})]);
  const requests = [mixed, createBatch(NOW, [{}]), createBatch(NOW, []), createBatch(NOW, [visit({})])];
  expect(await outcomes(requests)).toEqual(requests.map(() => OK));
  const ids = [
    createVisitId(mixed.batchId, 0),
    createVisitId(mixed.batchId, 2),
    createVisitId(requests[3]!.batchId, 0),
  ];
  expect(published.map((event) => event.visit.id)).toEqual(ids);
  expect(published.map(({ traceparent }) => traceparent)).toEqual(ids.map(() => mixed.traceparent));
});

it('rejects visits for a nonexistent project', async () => {
  const { outcomes } = createPipeline(UNAVAILABLE_SOURCES, () => NOW, false);
  const [outcome] = await outcomes([createBatch(NOW, [visit({})])]);
  expect(outcome).toMatchObject({ detail: `project ${PROJECT} does not exist`, step: 'enrichment:project' });
});

describe('EnrichmentPipeline with a ten-minute backlog', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keys = parseKeySet({ keys: [publicKey.export({ format: 'jwk' })] });
  const sources: EvidenceSources = {
    ...UNAVAILABLE_SOURCES,
    directories: { find: (_, id) => (keys.has(id) ? { key: keys.get(id)! } : { fault: 'key_not_in_directory' }) },
  };
  /** Returns headers with a signature that expires after a minute, long before the backlog is processed. */
  const createSignedHeaders = (at: number) => ({
    host: 'site.example',
    ...signWebBotAuthRequest({
      url: 'https://site.example/',
      method: 'GET',
      key: privateKey,
      signatureAgent: 'https://chatgpt.com',
      now: at,
      lifetimeSeconds: 60,
    }),
  });
  const times = Array.from({ length: 60 }, (_, index) => NOW + index * 10_000);
  const messages = times.map((time) =>
    createBatch(time, [
      visit(createSignedHeaders(time - 2_000), { created: new Date(time - 1_500).toISOString() }),
      visit(createSignedHeaders(time)),
      // This signature had already expired by the time the visit was received.
      visit(createSignedHeaders(time - 5 * MINUTE_MS)),
      visit({ ...createSignedHeaders(time), signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` }),
      visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': '66.249.66.1' }),
    ]),
  );

  it('returns the same verdicts for backlogged visits as for live visits', async () => {
    let clock = 0;
    const { run } = createPipeline(sources, () => clock);
    const live: EnrichedVisit[] = [];
    for (const [index, message] of messages.entries()) {
      clock = times[index]! + 50;
      live.push(...(await run([message])));
    }
    clock = times.at(-1)! + 10 * MINUTE_MS;
    const late = await run(messages);
    expect(late).toEqual(live);
    expect(late.slice(0, 5).map(({ identification: { result, reason } }) => [result, reason])).toEqual([
      ['verified', null],
      ['verified', null],
      ['verification_failed', 'expired'],
      ['verification_failed', 'bad_signature'],
      ['verified', null],
    ]);
    expect(new Set(late.map(({ identification }) => identification.result)).size).toBe(2);
  });
});

describe('EnrichmentPipeline with slow lookups', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('abandons lookups at the time limit but uses their results in later batches', async () => {
    const answers = new Map<string, DnsResult>();
    const pendingAnswers = new Map<string, string>();
    const lookUp = (name: string, value: string): DnsResult | Promise<DnsResult> => {
      const knownAnswer = answers.get(name);
      if (knownAnswer !== undefined) return knownAnswer;
      pendingAnswers.set(name, value);
      // The lookup never returns, so this batch doesn't get its result. The next batch finds the result in the cache.
      return new Promise(() => undefined);
    };
    const sources: EvidenceSources = {
      ...UNAVAILABLE_SOURCES,
      dns: {
        hostNames: ({ text }) => lookUp(text, `crawl-${text.replaceAll('.', '-')}.googlebot.com`),
        addresses: (name) =>
          lookUp(name, name.replace('.googlebot.com', '').slice('crawl-'.length).replaceAll('-', '.')),
      },
    };
    const { run } = createPipeline(sources, () => NOW);
    const visits = Array.from({ length: 40 }, (_, index) =>
      visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': `198.51.100.${index}` }),
    );
    const messages = [createBatch(NOW, visits.slice(0, 20)), createBatch(NOW, visits.slice(20))];
    /** Returns the distinct results after the given time, or an empty array if the batch is still waiting. */
    const getResultsAfter = async (milliseconds: number): Promise<string[]> => {
      for (const [name, value] of pendingAnswers) answers.set(name, { values: [value] });
      pendingAnswers.clear();
      let enriched: EnrichedVisit[] = [];
      void run(messages).then((visits) => (enriched = visits));
      await jest.advanceTimersByTimeAsync(milliseconds);
      return [...new Set(enriched.map(({ identification: { result, reason } }) => `${result} ${reason}`))];
    };
    expect(await getResultsAfter(LOOKUP_TIMEOUT_MS)).toEqual(['not_verifiable dns_pending']);
    // All addresses are looked up concurrently, within the batch's time limit.
    expect(pendingAnswers.size).toBe(40);
    expect(await getResultsAfter(LOOKUP_TIMEOUT_MS)).toEqual(['not_verifiable dns_pending']);
    expect(pendingAnswers.size).toBe(40);
    expect(await getResultsAfter(0)).toEqual(['verified null']);
    expect(pendingAnswers.size).toBe(0);
  });
});

describe('EnrichmentPipeline with unknown visitors', () => {
  const address = '203.0.113.7';
  const sentVisits = [
    visit(
      { 'User-Agent': 'Mozilla/5.0', 'x-forwarded-for': address, cookie: 'a=b', 'Signature-Input': 'x' },
      {
        request_path: '/a?b=c',
        client_address: address,
        response_status_code: 404,
        response_headers: { etag: 'x' },
        note: 1,
      },
    ),
    visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': address }),
    visit({ 'x-forwarded-for': address }, { request_path: '/?agent-traffic-test=0123456789abcdef01234567-0' }),
  ];
  const batch = createBatch(NOW, sentVisits);

  it.each([
    [
      'reduced',
      {
        request_path: '/a?b=c',
        request_method: 'GET',
        request_headers: { 'User-Agent': 'Mozilla/5.0', 'Signature-Input': 'x' },
        response_status_code: 404,
        note: 1,
      },
    ],
    ['counted', { request_path: '/a', request_method: 'GET', request_headers: {}, response_status_code: 404 }],
  ] as const)(
    'publishes %s visits without addresses and leaves visits by agents and tests unchanged',
    async (mode, reduced) => {
      const { run, published } = createPipeline(UNAVAILABLE_SOURCES, () => NOW, true, mode);
      const [unknown, agent, test] = await run([batch]);
      expect(unknown).toMatchObject({
        client_address: null,
        kept_as: mode,
        identification: { result: 'unknown_agent' },
      });
      expect(unknown!.visit).toEqual(reduced);
      expect(published[0]!.key).toBe(batch.batchId);
      expect(JSON.stringify(published[0])).not.toContain(address);
      const full = await createPipeline(UNAVAILABLE_SOURCES, () => NOW).run([batch]);
      expect([agent, test]).toEqual(full.slice(1));
      expect(full[0]).toMatchObject({ client_address: address, visit: sentVisits[0] });
      expect(full[0]).not.toHaveProperty('kept_as');
    },
  );

  it('recognizes a test only by a complete test parameter', async () => {
    const paths = ['/?agent-traffic-test=1', '/?x=agent-traffic-test=0123456789abcdef01234567-0'];
    const others = paths.map((path) => visit({ 'x-forwarded-for': address }, { request_path: path }));
    const { run } = createPipeline(UNAVAILABLE_SOURCES, () => NOW, true, 'reduced');
    const published = await run([createBatch(NOW, others)]);
    expect(published.map(({ client_address }) => client_address)).toEqual([null, null]);
  });

  it.each(['reduced', 'counted'] as const)('checks %s visits for automation', async (mode) => {
    const headers = {
      'User-Agent': 'AcmeSync/1.2 (Windows NT 10.0)',
      Accept: '*/*',
      'X-Forwarded-For': '11.1.0.7',
    };
    const [full] = await createPipeline(UNAVAILABLE_SOURCES, () => NOW).run([createBatch(NOW, [visit(headers)])]);
    const [reduced] = await createPipeline(UNAVAILABLE_SOURCES, () => NOW, true, mode).run([
      createBatch(NOW, [visit(headers)]),
    ]);
    expect(full!.automation).toEqual({
      verdict: 'likely',
      signs: ['not_a_browser', 'no_accept_language', 'data_center'],
      user_agent_group: 'AcmeSync/* (Windows NT *)',
    });
    expect(reduced!.automation).toEqual(full!.automation);
    expect(JSON.stringify(reduced!.visit)).not.toContain('Accept');
    expect(JSON.stringify(reduced)).not.toContain('11.1.0.7');
  });
});

describe('EnrichmentPipeline with a redelivered batch', () => {
  const names: string[] = [];
  const sources: EvidenceSources = {
    ...UNAVAILABLE_SOURCES,
    dns: { hostNames: () => ({ values: [...names] }), addresses: () => ({ values: ['198.51.100.7'] }) },
  };
  const message = createBatch(NOW, [visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': '198.51.100.7' }), {}]);
  const other = createBatch(NOW, [visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': '198.51.100.7' })]);
  const getResults = (events: readonly EnrichedEvent[]) => events.map((event) => event.visit.identification.result);
  beforeEach(() => void names.splice(0));

  it('publishes a redelivered batch with its original results but uses new evidence for other batches', async () => {
    const { outcomes, bus, published } = createPipeline(sources, () => NOW);
    const publish = jest.spyOn(bus, 'publish').mockRejectedValueOnce(new Error('Kafka is down'));
    await expect(outcomes([message])).rejects.toThrow('Kafka is down');
    const failed = publish.mock.calls[0]![1] as EnrichedEvent[];
    names.push('crawl-198-51-100-7.googlebot.com');
    expect(await outcomes([message, other])).toEqual([OK, OK]);
    expect(getResults(published)).toEqual(['verification_failed', 'verified']);
    expect(published[0]).toBe(failed[0]);
  });
});
