import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kafkaClassPath, SHORT_LIVED_JVM_OPTIONS } from '../stack/kafka-files.ts';
import { ServerProcess } from '../stack/server-process.ts';
import { freePort, disposables, temporaryFolder } from './instance.js';

const KAFKA_VERSION = '4.1.0';
const CLUSTER_ID = 'MkU3OEVBNTcwNTJENDM2Qg';

interface KafkaClusterOptions {
  brokers?: number;
  /** Additional server.properties entries. */
  settings?: Record<string, string>;
  /** Listeners in addition to the plaintext one. Requires a single broker. */
  listeners?: Record<string, { protocol: string; port: number }>;
  scramUser?: { name: string; password: string };
}

/** Kafka cluster on localhost. Every broker also acts as a controller. */
export class KafkaCluster {
  private constructor(
    readonly brokers: readonly ServerProcess[],
    readonly addresses: readonly string[],
    private readonly folder: string,
  ) {}

  static async start({
    brokers: count = 1,
    settings = {},
    listeners = {},
    scramUser,
  }: KafkaClusterOptions = {}): Promise<KafkaCluster> {
    const classPath = await kafkaClassPath(KAFKA_VERSION);
    const folder = await temporaryFolder();
    const ports = await freePorts(count * 2);
    const voters = Array.from({ length: count }, (_, id) => `${id + 1}@127.0.0.1:${ports[count + id]}`).join(',');
    const protocols = [
      'PLAINTEXT:PLAINTEXT',
      'CONTROLLER:PLAINTEXT',
      ...Object.entries(listeners).map(([name, { protocol }]) => `${name}:${protocol}`),
    ].join(',');
    const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) =>
      scramUser === undefined
        ? []
        : ['--add-scram', `${mechanism}=[name=${scramUser.name},password=${scramUser.password}]`],
    );
    const brokers = await Promise.all(
      Array.from({ length: count }, async (_, id) => {
        const properties = join(folder, `broker-${id + 1}.properties`);
        const advertised = [`PLAINTEXT://127.0.0.1:${ports[id]}`];
        for (const [name, { port }] of Object.entries(listeners)) advertised.push(`${name}://127.0.0.1:${port}`);
        const lines = {
          'process.roles': 'broker,controller',
          'node.id': String(id + 1),
          'controller.quorum.voters': voters,
          listeners: [...advertised, `CONTROLLER://127.0.0.1:${ports[count + id]}`].join(','),
          'advertised.listeners': advertised.join(','),
          'listener.security.protocol.map': protocols,
          'inter.broker.listener.name': 'PLAINTEXT',
          'controller.listener.names': 'CONTROLLER',
          'log.dirs': join(folder, `broker-${id + 1}`),
          'offsets.topic.replication.factor': String(count),
          'offsets.topic.num.partitions': '4',
          'transaction.state.log.replication.factor': String(count),
          'group.initial.rebalance.delay.ms': '0',
          'auto.create.topics.enable': 'false',
          ...settings,
        };
        await writeFile(
          properties,
          Object.entries(lines)
            .map(([name, value]) => `${name}=${value}\n`)
            .join(''),
        );
        const java = ['-Xmx512m', ...SHORT_LIVED_JVM_OPTIONS, '-cp', classPath];
        await promisify(execFile)('java', [
          ...java,
          'kafka.tools.StorageTool',
          'format',
          '-t',
          CLUSTER_ID,
          '-c',
          properties,
          ...scram,
        ]);
        return new ServerProcess({ command: 'java', args: [...java, 'kafka.Kafka', properties], port: ports[id]! });
      }),
    );
    const cluster = new KafkaCluster(
      brokers,
      ports.slice(0, count).map((port) => `127.0.0.1:${port}`),
      folder,
    );
    disposables.add(cluster);
    await Promise.all(brokers.map((broker) => broker.start()));
    return cluster;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    await Promise.all(this.brokers.map((broker) => broker.kill()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
