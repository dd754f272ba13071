import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kafkaClassPath } from '../stack/kafka-files.ts';
import { ServerProcess } from '../stack/server-process.ts';
import { freePort, leftOvers, temporaryFolder } from './instance.js';

export const KAFKA_VERSION = '4.1.0';
const CLUSTER_ID = 'MkU3OEVBNTcwNTJENDM2Qg';

/** A real Kafka cluster on loopback, for tests. Every broker is a controller, too. */
export class KafkaCluster {
  private constructor(
    readonly brokers: readonly ServerProcess[],
    readonly addresses: readonly string[],
    private readonly folder: string,
  ) {}

  /** Resolves once it takes connections. @param settings more lines of server.properties. */
  static async start({ brokers: count = 1, settings = {} as Record<string, string> } = {}): Promise<KafkaCluster> {
    const classPath = await kafkaClassPath(KAFKA_VERSION);
    const folder = await temporaryFolder();
    const ports = await freePorts(count * 2);
    const voters = Array.from({ length: count }, (_, id) => `${id + 1}@127.0.0.1:${ports[count + id]}`).join(',');
    const brokers = await Promise.all(
      Array.from({ length: count }, async (_, id) => {
        const properties = join(folder, `broker-${id + 1}.properties`);
        const lines = {
          'process.roles': 'broker,controller',
          'node.id': String(id + 1),
          'controller.quorum.voters': voters,
          listeners: `PLAINTEXT://127.0.0.1:${ports[id]},CONTROLLER://127.0.0.1:${ports[count + id]}`,
          'advertised.listeners': `PLAINTEXT://127.0.0.1:${ports[id]}`,
          'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
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
        const java = ['-Xmx512m', '-cp', classPath];
        await promisify(execFile)('java', [
          ...java,
          'kafka.tools.StorageTool',
          'format',
          '-t',
          CLUSTER_ID,
          '-c',
          properties,
        ]);
        return new ServerProcess({ command: 'java', args: [...java, 'kafka.Kafka', properties], port: ports[id]! });
      }),
    );
    const cluster = new KafkaCluster(
      brokers,
      ports.slice(0, count).map((port) => `127.0.0.1:${port}`),
      folder,
    );
    leftOvers.add(cluster);
    await Promise.all(brokers.map((broker) => broker.start()));
    return cluster;
  }

  async dispose(): Promise<void> {
    leftOvers.delete(this);
    await Promise.all(this.brokers.map((broker) => broker.kill()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
