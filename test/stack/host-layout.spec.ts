import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { compileProxyRanges, parseAddress } from '#libs/agents';
import { readCompose } from './compose.ts';
import { serverProperties, getUpstreams } from './images.ts';
import { HostLayout } from './host-layout.ts';
import { addBrokers } from './kafka-brokers.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMPOSE = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const services = readCompose(COMPOSE);
const layout = new HostLayout({ data: '/data', portOffset: 1_000, root: '/repository', scale: { gateway: 2 } });
const rewrite = (text: string, service = 'gateway', number = 1) =>
  layout.rewrite(text, { service, number }, services.get(service)!.volumes);

it.each([
  ['postgres://agent_traffic@postgres:5432/agent_traffic', 'postgres://agent_traffic@127.0.0.1:16432/agent_traffic'],
  ['redis://gateway@redis:6379', 'redis://gateway@127.0.0.1:17379'],
  ['kafka:9092,kafka-2:9092,kafka-3:9092', '127.0.0.1:20092,127.0.0.1:20192,127.0.0.1:20292'],
  ['3001', '4001'],
  ['0.0.0.0', '127.0.0.1'],
  ['/run/secrets/redis-password', '/data/gateway-secrets/redis-password'],
  ['/run/secrets-else', '/run/secrets-else'],
  ['90', '90'],
  ['172.16.251.0/24,192.0.2.10', '127.0.0.0/8,192.0.2.10'],
  ['', ''],
  ['-Da.b=/run/secrets/x', '-Da.b=/data/gateway-secrets/x'],
])('rewrites %s for the host', (text, here) => {
  expect(rewrite(text)).toBe(here);
});

it('maps mount points and volumes to host folders', () => {
  expect(rewrite('/run/agent-traffic', 'secrets')).toBe('/data/mounts/secrets/run/agent-traffic');
  expect(rewrite('/var/lib/agent-traffic', 'secrets')).toBe('/data/secrets');
});

it('trusts the edge as a proxy in each network that it joins', () => {
  const { networks } = parse(COMPOSE) as { networks: Record<string, { ipam: { config: { subnet: string }[] } }> };
  for (const name of ['gateway', 'console']) {
    const { TRUSTED_PROXIES: trusted = '' } = services.get(name)!.environment;
    const ranges = compileProxyRanges([trusted]);
    // The edge has an address in each of its networks, and a service may see any of them.
    for (const network of services.get('edge')!.networks!) {
      const [first] = networks[network]!.ipam.config[0]!.subnet.split('/');
      expect(ranges.contains(parseAddress(first!)!)).toBe(true);
    }
    expect(ranges.contains(parseAddress('172.17.0.1')!)).toBe(false);
    expect(rewrite(trusted, name)).toBe('127.0.0.0/8');
  }
});

it('assigns separate ports to each replica and broker', () => {
  expect(rewrite('3001', 'gateway', 2)).toBe('4101');
  expect(rewrite('SASL_PLAINTEXT://:9092,CONTROLLER://:9093', 'kafka', 2)).toBe(
    'SASL_PLAINTEXT://127.0.0.1:20192,CONTROLLER://127.0.0.1:20193',
  );
  expect(rewrite('http://127.0.0.1:3000/healthz', 'edge')).toBe('http://127.0.0.1:4000/healthz');
});

it('lists all replicas behind an upstream', () => {
  expect(getUpstreams(services.get('edge')!, layout)).toEqual({
    GATEWAY: '127.0.0.1:4001 max_fails=0; server 127.0.0.1:4101 max_fails=0',
    CONSOLE: '127.0.0.1:4002 max_fails=0',
  });
});

it("derives Kafka properties from the image's environment variables", () => {
  expect(serverProperties({ KAFKA_LOG_DIRS: '/data/kafka', KAFKA_NODE_ID: '1' })).toBe(
    'log.dirs=/data/kafka\nnode.id=1\n',
  );
});

it('derives additional brokers and replication factors', () => {
  const scaledServices = addBrokers(services, 3);
  expect([...scaledServices.keys()].filter((name) => name.startsWith('kafka'))).toEqual([
    'kafka',
    'kafka-2',
    'kafka-3',
  ]);
  expect(scaledServices.get('kafka-3')).toMatchObject({
    environment: {
      KAFKA_NODE_ID: '3',
      KAFKA_ADVERTISED_LISTENERS: 'SASL_PLAINTEXT://kafka-3:9092',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@kafka:9093,2@kafka-2:9093,3@kafka-3:9093',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '3',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '2',
    },
    volumes: [
      { source: 'kafka-secrets', target: '/run/secrets' },
      { source: 'kafka-3', target: '/var/lib/kafka/data' },
    ],
    healthcheck: { test: expect.arrayContaining(['kafka-3:9092']) },
  });
  expect(scaledServices.get('gateway')).toMatchObject({
    environment: {
      KAFKA_BROKERS: 'kafka:9092,kafka-2:9092,kafka-3:9092',
      KAFKA_REPLICATION_FACTOR: '3',
      KAFKA_MIN_INSYNC_REPLICAS: '2',
    },
    dependsOn: { kafka: 'service_healthy', 'kafka-2': 'service_healthy', 'kafka-3': 'service_healthy' },
  });
  expect(scaledServices.get('redis')).toEqual(services.get('redis'));
});
