import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, visit } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { OtlpReceiver } from '../kit/otlp-receiver.js';

const traceId = (digit: number): string => String(digit).repeat(32);
const traceparent = (digit: number, flags = '01'): string => `00-${traceId(digit)}-${'b'.repeat(16)}-${flags}`;

let receiver: OtlpReceiver;
/** Output of the instance that exports its spans to the receiver. */
let output: string;
/** Slow check, started early so that it runs in parallel with the other tests. */
let exportFailureCheck: Promise<void>;

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  exportFailureCheck = exportToUnreachableReceiver();
  exportFailureCheck.catch(() => undefined);
  const { instance, client } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  const posts = [1, 2, 3].map((digit) =>
    client.post('/visits', visit(`/traced/${digit}`), { headers: { traceparent: traceparent(digit) } }),
  );
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([204, 204, 204]);
  // Send an unsampled request and a failing request.
  await client.post('/visits', visit('/untraced'), { headers: { traceparent: traceparent(4, '00') } });
  await client.post('/visits', 'not JSON', { headers: { traceparent: traceparent(5) } });
  // Stopping the instance exports the remaining spans.
  await instance.dispose();
  ({ output } = instance);
});
afterAll(() => receiver.close());

async function start(env: Record<string, string>): Promise<{ instance: Instance; client: Client }> {
  const instance = await Instance.start({ env: { LOG_FORMAT: 'json', LOG_LEVEL: 'debug', ...env } });
  const apiKey = (await readFile(join(instance.dataDirectory, 'api-key'), 'utf8')).trim();
  const accessToken = /agt_\w+/.exec(instance.output)![0];
  return { instance, client: new Client({ url: instance.url, accessToken, apiKey }) };
}

it('records a visit in a single trace, from its POST request to the insert', () => {
  for (const digit of [1, 2, 3]) {
    const spans = receiver.getTrace(traceId(digit));
    const path = [
      ['POST /visits', 'server'],
      ['send visits.received.v1', 'producer'],
      ['process visits.received.v1', 'consumer'],
      ['process visits.enriched.v1', 'consumer'],
      ['INSERT visits', 'client'],
    ] as const;
    const parents = ['b'.repeat(16), ...path.map(([name]) => spans.get(name)?.spanId)];
    for (const [index, [name, kind]] of path.entries()) {
      expect(spans.get(name)).toMatchObject({
        kind,
        parentId: parents[index],
        service: 'agent-traffic',
        isError: false,
      });
    }
    expect(spans.get('identify')).toMatchObject({ parentId: spans.get('process visits.received.v1')!.spanId });
    expect(spans.get('POST /visits')!.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/visits',
      'http.response.status_code': '204',
    });
    expect(output).toContain(`"trace_id":"${traceId(digit)}","span_id":"${spans.get('POST /visits')!.spanId}"`);
  }
  expect(receiver.getTrace(traceId(4))).toEqual(new Map());
  expect([...new Set(receiver.spans.map(({ name }) => name))].filter((name) => /healthz|metrics/.test(name))).toEqual(
    [],
  );
});

it('records a rejected request with its status, without marking it as an error', () => {
  const spans = receiver.getTrace(traceId(5));
  expect([...spans.keys()]).toEqual(['POST /visits']);
  expect(spans.get('POST /visits')).toMatchObject({
    attributes: { 'http.response.status_code': '400' },
    isError: false,
  });
});

it('records no spans when the sampling ratio is 0 or tracing is disabled', async () => {
  const before = receiver.spans.length;
  const settings: Record<string, string>[] = [
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SDK_DISABLED: 'true' },
  ];
  for (const env of settings) {
    const { instance, client } = await start(env);
    expect((await client.post('/visits', visit('/'), { headers: { traceparent: traceparent(6) } })).status).toBe(204);
    await instance.dispose();
  }
  expect(receiver.spans.length).toBe(before);
});

async function exportToUnreachableReceiver(): Promise<void> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' };
  const { instance, client } = await start(env);
  expect((await client.post('/visits', visit('/'))).status).toBe(204);
  await until(() => instance.output.includes('failed to export traces'), {
    condition: 'the export failure is logged',
    timeoutMs: 60_000,
  });
  await instance.dispose();
}

it("works without a trace receiver and logs that traces couldn't be exported", async () => {
  await expect(exportFailureCheck).resolves.toBeUndefined();
});
