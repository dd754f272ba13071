import { createBatchId, RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { Kafka, logLevel } from '../kit/kafkajs.js';
import { OtlpReceiver } from '../kit/otlp-receiver.js';

const traceId = (digit: number): string => String(digit).repeat(32);
const traceparent = (digit: number): string => `00-${traceId(digit)}-${'b'.repeat(16)}-01`;

/** Expected spans for a visit, in order, each with its name, service, and kind. */
const EXPECTED_SPANS = [
  ['POST /visits', 'agent-traffic-gateway', 'server'],
  ['send visits.received.v1', 'agent-traffic-gateway', 'producer'],
  ['process visits.received.v1', 'agent-traffic-enrichment', 'consumer'],
  ['process visits.enriched.v1', 'agent-traffic-ingest', 'consumer'],
  ['INSERT visits', 'agent-traffic-ingest', 'client'],
] as const;

let receiver: OtlpReceiver;
let deployment: Deployment;

beforeAll(async () => {
  receiver = await OtlpReceiver.start();
  deployment = await Deployment.start({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
  // Services export spans every five seconds, so send everything before the first check.
  const post = async (digit: number, path: string, body: object, status: number): Promise<void> => {
    const answer = await deployment.client.post(path, body, { headers: { traceparent: traceparent(digit) } });
    expect([path, answer.status]).toEqual([path, status]);
  };
  await post(1, '/visits', visit('/traced'), 204);
  await post(2, '/agent-identifications', { request_headers: { 'user-agent': 'Googlebot/2.1' } }, 200);
  // Wait, so that the batch below is consumed separately.
  await until(async () => (await deployment.client.visits({ path: '/traced' })).length === 1, {
    condition: 'the visit is stored',
    explain: () => deployment.logs(),
  });
  await sendBatch(3, 4);
}, 120_000);
afterAll(async () => {
  await deployment?.dispose();
  await receiver?.close();
});

/** Sends one message per trace, all in a single Kafka batch, so that they're consumed together. */
async function sendBatch(...digits: number[]): Promise<void> {
  const kafka = new Kafka({ ...(await deployment.stack.kafkaClient()), logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  const { rows } = await deployment.database.query<{ id: string }>('SELECT id FROM projects LIMIT 1');
  const messages = digits.map((digit) => ({
    partition: 0,
    value: JSON.stringify([visit(`/met/${digit}`)]),
    headers: {
      [RECEIVED_HEADERS.batchId]: createBatchId(),
      [RECEIVED_HEADERS.projectId]: rows[0]!.id,
      [RECEIVED_HEADERS.traceparent]: traceparent(digit),
    },
  }));
  await producer.send({ topic: TOPICS.visitsReceived, messages });
  await producer.disconnect();
}

const waitForSpan = (digit: number, name: string) =>
  until(() => receiver.getTrace(traceId(digit)).get(name), {
    condition: `span ${name} of trace ${digit} arrives`,
    timeoutMs: 60_000,
  });

it('traces a visit from the POST through Kafka to the insert', async () => {
  let parentId = 'b'.repeat(16);
  for (const [name, service, kind] of EXPECTED_SPANS) {
    const span = await waitForSpan(1, name);
    expect(span).toMatchObject({ service, kind, parentId });
    parentId = span.spanId;
  }
});

it('traces calls between services', async () => {
  const gatewaySpan = await waitForSpan(2, 'POST /agent-identifications');
  const catalogSpan = await until(
    () =>
      receiver.spans.find(({ service, parentId }) => service.endsWith('catalog') && parentId === gatewaySpan.spanId),
    { condition: 'the catalog span arrives', timeoutMs: 60_000 },
  );
  expect(catalogSpan).toMatchObject({ traceId: traceId(2), kind: 'server' });
});

it('links the traces of messages in the same batch', async () => {
  const spans = await Promise.all([3, 4].map((digit) => waitForSpan(digit, 'process visits.received.v1')));
  expect(spans.map(({ links }) => links)).toEqual([
    [`${traceId(4)}:${'b'.repeat(16)}`],
    [`${traceId(3)}:${'b'.repeat(16)}`],
  ]);
  await Promise.all([3, 4].map((digit) => waitForSpan(digit, 'INSERT visits')));
});
