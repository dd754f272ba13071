import { NoQueue, type KafkaReport, type PipelineQueue } from '#libs/bus';
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
const queue = (inspect: () => Promise<KafkaReport>): PipelineQueue => ({ inspect }) as PipelineQueue;

const services: QueueService[] = [];
afterEach(() => services.splice(0).forEach((service) => service.onApplicationShutdown()));

function start(of: PipelineQueue): QueueService {
  const service = new QueueService(of);
  services.push(service);
  service.onModuleInit();
  return service;
}

const exported = async () => (await consumerLag.get()).values.map(({ labels, value }) => ({ ...labels, value }));

it('exports the lag of each group and topic, including groups without consumers', async () => {
  const service = start(queue(() => Promise.resolve({ brokers: [], differences: [], groups: GROUPS })));
  expect(await exported()).toEqual([
    { group: 'ingest', topic: 'visits.enriched.v1', value: 4 },
    { group: 'ingest', topic: 'visits.dead-letter.v1', value: 3 },
  ]);
  expect((await service.read())!.groups).toEqual([{ group: 'ingest', state: 'Empty', members: 0, lag: 7 }]);
});

it('exports no stale values while Kafka is down', async () => {
  start(queue(() => Promise.reject(new Error('away'))));
  expect(await exported()).toEqual([]);
});

it('exports nothing without a queue or after shutdown', async () => {
  const withoutQueue = start(new NoQueue());
  expect(await withoutQueue.read()).toBeNull();
  start(queue(() => Promise.resolve({ brokers: [], differences: [], groups: GROUPS }))).onApplicationShutdown();
  expect(await exported()).toEqual([]);
});
