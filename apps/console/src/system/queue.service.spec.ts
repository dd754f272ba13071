import { InProcessQueue, type KafkaReport, type PipelineQueue } from '#libs/bus';
import { consumerLag, QueueService } from './queue.service.js';

const GROUPS: KafkaReport['groups'] = [
  {
    group: 'ingest',
    state: 'Empty',
    members: 0,
    lag: 7,
    lagOfTopics: { 'visits.enriched.v1': 4, 'visits.dead-letter.v1': 3 },
  },
];
const createQueue = (inspect: () => Promise<KafkaReport>): PipelineQueue => ({ inspect }) as PipelineQueue;

const services: QueueService[] = [];
afterEach(() => services.splice(0).forEach((service) => service.onApplicationShutdown()));

function startService(pipelineQueue: PipelineQueue): QueueService {
  const service = new QueueService(pipelineQueue);
  services.push(service);
  service.onModuleInit();
  return service;
}

const readExportedLag = async () => (await consumerLag.get()).values.map(({ labels, value }) => ({ ...labels, value }));

it("exports each group's lag by topic, including groups without consumers", async () => {
  const service = startService(createQueue(() => Promise.resolve({ brokers: [], differences: [], groups: GROUPS })));
  expect(await readExportedLag()).toEqual([
    { group: 'ingest', topic: 'visits.enriched.v1', value: 4 },
    { group: 'ingest', topic: 'visits.dead-letter.v1', value: 3 },
  ]);
  expect((await service.read())!.groups).toEqual([{ group: 'ingest', state: 'Empty', members: 0, lag: 7 }]);
});

it("doesn't export stale values while Kafka is down", async () => {
  startService(createQueue(() => Promise.reject(new Error('away'))));
  expect(await readExportedLag()).toEqual([]);
});

it("doesn't export values without a queue or after shutdown", async () => {
  const withoutQueue = startService(new InProcessQueue());
  expect(await withoutQueue.read()).toBeNull();
  startService(
    createQueue(() => Promise.resolve({ brokers: [], differences: [], groups: GROUPS })),
  ).onApplicationShutdown();
  expect(await readExportedLag()).toEqual([]);
});
