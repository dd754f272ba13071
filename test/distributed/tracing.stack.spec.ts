import kafkajs from 'kafkajs';
import { newBatchId, RECEIVED_HEADERS, TOPICS } from '#libs/contracts';
import { Deployment } from '../kit/deployment.js';
import { visit } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { OtlpReceiver } from '../kit/otlp-receiver.js';

const traceId = (digit: number): string => String(digit).repeat(32);
const traceparent = (digit: number): string => `00-${traceId(digit)}-${'b'.repeat(16)}-01`;

/** What a visit passes, and whose span each is. */
const PATH = [
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
}, 120_000);
afterAll(async () => {
  await deployment?.dispose();
  await receiver?.close();
});

const arrived = (digit: number, name: string) =>
  until(() => receiver.trace(traceId(digit)).get(name), { what: `${name} of trace ${digit} arrives`, within: 60_000 });

it('shows a visit from its POST through Kafka to the insert in one trace', async () => {
  const headers = { traceparent: traceparent(1) };
  expect((await deployment.client.post('/visits', visit('/traced'), { headers })).status).toBe(204);
  let parentId = 'b'.repeat(16);
  for (const [name, service, kind] of PATH) {
    const span = await arrived(1, name);
    expect(span).toMatchObject({ service, kind, parentId });
    parentId = span.spanId;
  }
});

it('shows that a service asked another', async () => {
  const item = { request_headers: { 'user-agent': 'Googlebot/2.1' } };
  const headers = { traceparent: traceparent(2) };
  expect((await deployment.client.post('/agent-identifications', item, { headers })).status).toBe(200);
  const asking = await arrived(2, 'POST /agent-identifications');
  const asked = await until(
    () => receiver.spans.find(({ service, parentId }) => service.endsWith('catalog') && parentId === asking.spanId),
    { what: 'the span of the catalog arrives', within: 60_000 },
  );
  expect(asked).toMatchObject({ traceId: traceId(2), kind: 'server' });
});

it('links traces that meet in a batch', async () => {
  const { Kafka, logLevel } = kafkajs;
  const kafka = new Kafka({ ...(await deployment.stack.kafkaClient()), logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  const { rows } = await deployment.database.query<{ id: string }>('SELECT id FROM projects LIMIT 1');
  const messageOf = (digit: number) => ({
    partition: 0,
    value: JSON.stringify([visit(`/met/${digit}`)]),
    headers: {
      [RECEIVED_HEADERS.batchId]: newBatchId(),
      [RECEIVED_HEADERS.projectId]: rows[0]!.id,
      [RECEIVED_HEADERS.traceparent]: traceparent(digit),
    },
  });
  // Kafka keeps what is sent at once together, so that it is read at once.
  await producer.send({ topic: TOPICS.visitsReceived, messages: [messageOf(3), messageOf(4)] });
  await producer.disconnect();
  const spans = await Promise.all([3, 4].map((digit) => arrived(digit, 'process visits.received.v1')));
  expect(spans.map(({ links }) => links)).toEqual([
    [`${traceId(4)}:${'b'.repeat(16)}`],
    [`${traceId(3)}:${'b'.repeat(16)}`],
  ]);
  await Promise.all([3, 4].map((digit) => arrived(digit, 'INSERT visits')));
});
