import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Bus, type EncodedMessage } from '#libs/bus';
import { App } from '../kit/app.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';
import { until } from '../kit/instance.js';
import { readVisits } from '../kit/visit-store.js';
import { GOLDEN_REQUESTS, type GoldenRequest } from './requests.js';

/**
 * Golden files for the public interface. They contain the responses and the resulting messages, byte for byte. Clients
 * and consumers depend on both. `UPDATE_GOLDEN=true` rewrites the files. Review the diff as an interface change.
 */
const FILES = { answers: 'answers.json', messages: 'messages.json' } as const;
const VOLATILE_HEADERS = new Set(['date', 'content-length', 'traceparent', 'x-request-id']);

let app: App;
const messages: EncodedMessage[] = [];

beforeAll(async () => {
  app = await App.start({ sources: UNAVAILABLE_SOURCES });
  const bus = app.nest.get(Bus);
  const publishAll = bus.publishAll.bind(bus);
  jest.spyOn(bus, 'publishAll').mockImplementation((publications, context) => {
    for (const { topic, values } of publications) messages.push(...values.map((value) => topic.encode(value)));
    return publishAll(publications, context);
  });
});
afterAll(() => app?.dispose());

/**
 * Replaces random values and the catalog version with placeholders. The catalog version changes with the catalog data.
 */
const replaceVolatile = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '(UUIDv7)')
    .replaceAll(/(?<="dead_letter_id":")[0-9a-f-]{36}/g, '(UUIDv5)')
    .replaceAll(/(?!2026-01-02)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '(time)')
    .replaceAll(/00-[0-9a-f]{32}-[0-9a-f]{16}-0\d/g, '(traceparent)')
    .replaceAll(/(?<="catalog_version":")[0-9a-f]{16}/g, '(version)');

async function sendRequest({ method = 'POST', path, headers, body }: GoldenRequest): Promise<unknown> {
  const sent = { authorization: `Bearer ${app.accessToken}`, 'content-type': 'application/json', ...headers };
  const response = await app.nest.inject({
    method,
    url: path,
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as Record<string, string>,
    ...(body !== undefined && {
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
  return {
    status: response.statusCode,
    headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => !VOLATILE_HEADERS.has(name))),
    body: String(response.headers['content-type']).startsWith('application/problem+json')
      ? toStableProblem(response.payload)
      : replaceVolatile(response.payload),
  };
}

/** Reduces a problem to its stable fields. Human-readable texts aren't part of the interface. */
function toStableProblem(payload: string): object {
  const { type, status, errors = [] } = JSON.parse(payload);
  return { type, status, pointers: errors.map(({ pointer }: { pointer: string }) => pointer) };
}

/** Formats one entry per line, so diffs are readable. */
const formatPerLine = (found: object): string => {
  const lines = Object.entries(found).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
};

function expectGolden(file: string, found: object): void {
  const path = join(import.meta.dirname, file);
  if (process.env['UPDATE_GOLDEN'] === 'true') writeFileSync(path, formatPerLine(found));
  expect(found).toEqual(JSON.parse(readFileSync(path, 'utf8')));
}

it('returns the golden responses', async () => {
  const responses: Record<string, unknown> = {};
  for (const request of GOLDEN_REQUESTS) responses[`${request.path}: ${request.name}`] = await sendRequest(request);
  expectGolden(FILES.answers, responses);
});

it('publishes the golden messages', async () => {
  const enriched = (): number => messages.filter(({ topic }) => topic.startsWith('visits.enriched')).length;
  await until(() => enriched() >= 8, { condition: 'the visits are enriched' });
  const texts = messages.map(({ topic, key, headers, value }) =>
    [
      topic,
      replaceVolatile(String(key)),
      replaceVolatile(JSON.stringify(headers)),
      replaceVolatile(value.toString()),
    ].join('\n'),
  );
  expectGolden(FILES.messages, Object.fromEntries(texts.toSorted().entries()));
});

it('stores visits exactly as published', async () => {
  const published = messages.flatMap(({ topic, value }) => (topic === 'visits.enriched.v1' ? value.toString() : []));
  const stored = async (): Promise<string[]> => {
    const rows = await readVisits(app.database.dataSource);
    return rows.map(({ document }) => document).toSorted();
  };
  await until(async () => (await stored()).length === published.length, { condition: 'the visits are stored' });
  expect(await stored()).toEqual(published.toSorted());
});
