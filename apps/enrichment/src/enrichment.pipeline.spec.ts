import { generateKeyPairSync } from 'node:crypto';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { readKeySet, webBotAuthSignature, type DnsAnswer, type EvidenceSources } from '#libs/agents';
import { Bus, OK, type EnrichedEvent, type OutboundTopic, type ReceivedVisits } from '#libs/bus';
import { bundledCatalog, compileCatalog, type CurrentCatalog } from '#libs/catalog';
import { newBatchId, visitId, type EnrichedVisit, type UnknownVisitors } from '#libs/contracts';
import { VisitInsights } from '#libs/enrichment';
import { receivedVisits } from '../../../test/kit/received.js';
import { bundledIdentifier, NO_SOURCES } from '../../../test/kit/identifier.js';
import { EnrichmentPipeline } from './enrichment.pipeline.js';
import type { ProjectSettingsService } from './project-settings.service.js';

const PROJECT = '019a0000-0000-7000-8000-000000000000';
const NOW = Date.parse('2026-11-21T08:00:00Z');
const MINUTE = 60_000;
/** The pipeline's time limit for all lookups of a batch. */
const LOOKUP_TIMEOUT_MS = 500;
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const CONTEXT = { deadline: Infinity };

const CATALOG = {
  current: compileCatalog({ ...bundledCatalog(), dataCenterRanges: ['11.1.0.0/16'] }),
} as CurrentCatalog;

/** Creates a pipeline with a bus that only collects published events. */
function pipelineOf(
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
  const identifier = bundledIdentifier(sources, clock);
  const pipeline = new EnrichmentPipeline(bus, settings, identifier, insights, logger);
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

const batchAt = (time: number, visits: object[]): ReceivedVisits =>
  receivedVisits({ id: newBatchId(time), projectId: PROJECT }, visits);

const visit = (headers: Record<string, string>, extra: object = {}) => ({
  request_path: '/',
  request_method: 'GET',
  request_headers: headers,
  ...extra,
});

it('publishes the visits of all requests in order, with IDs derived from their positions', async () => {
  const { outcomes, published } = pipelineOf(NO_SOURCES, () => NOW);
  const mixed = batchAt(NOW, [visit({ 'user-agent': 'a' }), { request_path: 1 }, visit({})]);
  const requests = [mixed, batchAt(NOW, [{}]), batchAt(NOW, []), batchAt(NOW, [visit({})])];
  expect(await outcomes(requests)).toEqual(requests.map(() => OK));
  const ids = [visitId(mixed.batchId, 0), visitId(mixed.batchId, 2), visitId(requests[3]!.batchId, 0)];
  expect(published.map((event) => event.visit.id)).toEqual(ids);
  expect(published.map(({ traceparent }) => traceparent)).toEqual(ids.map(() => mixed.traceparent));
});

it('rejects the visits of a nonexistent project', async () => {
  const { outcomes } = pipelineOf(NO_SOURCES, () => NOW, false);
  const [outcome] = await outcomes([batchAt(NOW, [visit({})])]);
  expect(outcome).toMatchObject({ detail: `there is no project ${PROJECT}`, step: 'enrichment:project' });
});

describe('a ten-minute backlog', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const keys = readKeySet({ keys: [publicKey.export({ format: 'jwk' })] });
  const sources: EvidenceSources = {
    ...NO_SOURCES,
    directories: { find: (_, id) => (keys.has(id) ? { key: keys.get(id)! } : { fault: 'key_not_in_directory' }) },
  };
  /** Creates a signature that is valid for a minute, so it expires long before the backlog is processed. */
  const signed = (at: number) => ({
    host: 'site.example',
    ...webBotAuthSignature({
      url: 'https://site.example/',
      method: 'GET',
      key: privateKey,
      signatureAgent: 'https://chatgpt.com',
      now: at,
      lifetime: 60,
    }),
  });
  const times = Array.from({ length: 60 }, (_, index) => NOW + index * 10_000);
  const messages = times.map((time) =>
    batchAt(time, [
      visit(signed(time - 2_000), { created: new Date(time - 1_500).toISOString() }),
      visit(signed(time)),
      // Signed long before it was received, so it had already expired.
      visit(signed(time - 5 * MINUTE)),
      visit({ ...signed(time), signature: `sig1=:${Buffer.alloc(64).toString('base64')}:` }),
      visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': '66.249.66.1' }),
    ]),
  );

  it('gets the same verdicts as live visits', async () => {
    let clock = 0;
    const { run } = pipelineOf(sources, () => clock);
    const live: EnrichedVisit[] = [];
    for (const [index, message] of messages.entries()) {
      clock = times[index]! + 50;
      live.push(...(await run([message])));
    }
    clock = times.at(-1)! + 10 * MINUTE;
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

describe('slow lookups', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are abandoned at the time limit, and available to later batches', async () => {
    const answers = new Map<string, DnsAnswer>();
    const asked = new Map<string, string>();
    const answer = (question: string, value: string): DnsAnswer | Promise<DnsAnswer> => {
      const known = answers.get(question);
      if (known !== undefined) return known;
      asked.set(question, value);
      // This batch never gets the answer. The next one finds it.
      return new Promise(() => undefined);
    };
    const sources: EvidenceSources = {
      ...NO_SOURCES,
      dns: {
        hostNames: ({ text }) => answer(text, `crawl-${text.replaceAll('.', '-')}.googlebot.com`),
        addresses: (name) =>
          answer(name, name.replace('.googlebot.com', '').slice('crawl-'.length).replaceAll('-', '.')),
      },
    };
    const { run } = pipelineOf(sources, () => NOW);
    const visits = Array.from({ length: 40 }, (_, index) =>
      visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': `198.51.100.${index}` }),
    );
    const messages = [batchAt(NOW, visits.slice(0, 20)), batchAt(NOW, visits.slice(20))];
    /** Returns the results after the given time, or none while the batch is still waiting. */
    const resultsAfter = async (milliseconds: number): Promise<string[]> => {
      for (const [question, value] of asked) answers.set(question, { values: [value] });
      asked.clear();
      let enriched: EnrichedVisit[] = [];
      void run(messages).then((visits) => (enriched = visits));
      await jest.advanceTimersByTimeAsync(milliseconds);
      return [...new Set(enriched.map(({ identification: { result, reason } }) => `${result} ${reason}`))];
    };
    expect(await resultsAfter(LOOKUP_TIMEOUT_MS)).toEqual(['not_verifiable dns_pending']);
    // All addresses are looked up at once, within the batch's time limit.
    expect(asked.size).toBe(40);
    expect(await resultsAfter(LOOKUP_TIMEOUT_MS)).toEqual(['not_verifiable dns_pending']);
    expect(asked.size).toBe(40);
    expect(await resultsAfter(0)).toEqual(['verified null']);
    expect(asked.size).toBe(0);
  });
});

describe('visits of unknown visitors', () => {
  const address = '203.0.113.7';
  const posted = [
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
  const batch = batchAt(NOW, posted);

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
    'are published without addresses if %s, while visits of agents and tests are unchanged',
    async (mode, left) => {
      const { run, published } = pipelineOf(NO_SOURCES, () => NOW, true, mode);
      const [unknown, agent, test] = await run([batch]);
      expect(unknown).toMatchObject({
        client_address: null,
        kept_as: mode,
        identification: { result: 'unknown_agent' },
      });
      expect(unknown!.visit).toEqual(left);
      expect(published[0]!.key).toBe(batch.batchId);
      expect(JSON.stringify(published[0])).not.toContain(address);
      const whole = await pipelineOf(NO_SOURCES, () => NOW).run([batch]);
      expect([agent, test]).toEqual(whole.slice(1));
      expect(whole[0]).toMatchObject({ client_address: address, visit: posted[0] });
      expect(whole[0]).not.toHaveProperty('kept_as');
    },
  );

  it('require more than the parameter name to be recognized as tests', async () => {
    const paths = ['/?agent-traffic-test=1', '/?x=agent-traffic-test=0123456789abcdef01234567-0'];
    const others = paths.map((path) => visit({ 'x-forwarded-for': address }, { request_path: path }));
    const { run } = pipelineOf(NO_SOURCES, () => NOW, true, 'reduced');
    const published = await run([batchAt(NOW, others)]);
    expect(published.map(({ client_address }) => client_address)).toEqual([null, null]);
  });

  it.each(['reduced', 'counted'] as const)('are checked for automation even if they are %s', async (mode) => {
    const headers = {
      'User-Agent': 'AcmeSync/1.2 (Windows NT 10.0)',
      Accept: '*/*',
      'X-Forwarded-For': '11.1.0.7',
    };
    const [whole] = await pipelineOf(NO_SOURCES, () => NOW).run([batchAt(NOW, [visit(headers)])]);
    const [left] = await pipelineOf(NO_SOURCES, () => NOW, true, mode).run([batchAt(NOW, [visit(headers)])]);
    expect(whole!.automation).toEqual({
      verdict: 'likely',
      signs: ['not_a_browser', 'no_accept_language', 'data_center'],
      user_agent_group: 'AcmeSync/* (Windows NT *)',
    });
    expect(left!.automation).toEqual(whole!.automation);
    expect(JSON.stringify(left!.visit)).not.toContain('Accept');
    expect(JSON.stringify(left)).not.toContain('11.1.0.7');
  });
});

describe('a redelivered batch', () => {
  const names: string[] = [];
  const sources: EvidenceSources = {
    ...NO_SOURCES,
    dns: { hostNames: () => ({ values: [...names] }), addresses: () => ({ values: ['198.51.100.7'] }) },
  };
  const message = batchAt(NOW, [visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': '198.51.100.7' }), {}]);
  const other = batchAt(NOW, [visit({ 'user-agent': GOOGLEBOT, 'x-forwarded-for': '198.51.100.7' })]);
  const resultsOf = (events: readonly EnrichedEvent[]) => events.map((event) => event.visit.identification.result);
  beforeEach(() => void names.splice(0));

  it('is published with its original results, while other batches use new evidence', async () => {
    const { outcomes, bus, published } = pipelineOf(sources, () => NOW);
    const publish = jest.spyOn(bus, 'publish').mockRejectedValueOnce(new Error('Kafka is away'));
    await expect(outcomes([message])).rejects.toThrow('Kafka is away');
    const failed = publish.mock.calls[0]![1] as EnrichedEvent[];
    names.push('crawl-198-51-100-7.googlebot.com');
    expect(await outcomes([message, other])).toEqual([OK, OK]);
    expect(resultsOf(published)).toEqual(['verification_failed', 'verified']);
    expect(published[0]).toBe(failed[0]);
  });
});
