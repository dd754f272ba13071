import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createDataSource, migrate, SecretBox } from '#libs/database';
import { BootstrapRepository } from '../../apps/console/src/bootstrap.repository.js';
import { ServerProcess } from '../stack/server-process.ts';
import { Client, CREDENTIALS } from './client.js';
import { ExternalPostgres } from './external-postgres.js';
import { freePort, leftOvers } from './instance.js';
import { KafkaCluster } from './kafka.js';

const ROOT = join(import.meta.dirname, '../..');

export type ServiceName = 'gateway' | 'console' | 'enrichment' | 'ingest';

export interface DeploymentOptions {
  brokers?: number;
  /** Processes of a service; one unless given. */
  replicas?: Partial<Record<ServiceName, number>>;
  env?: Record<string, string>;
}

/** The services, each as its own process, on a real Kafka and PostgreSQL that a test can take away. */
export class Deployment {
  private constructor(
    readonly kafka: KafkaCluster,
    readonly postgres: ExternalPostgres,
    readonly services: Readonly<Record<ServiceName, ServerProcess[]>>,
    /** Talks to the first gateway and the first console. */
    readonly client: Client,
  ) {}

  static async start({ brokers = 1, replicas = {}, env = {} }: DeploymentOptions = {}): Promise<Deployment> {
    const [kafka, postgres] = await Promise.all([KafkaCluster.start({ brokers }), ExternalPostgres.start()]);
    const secretKey = randomBytes(32).toString('hex');
    await prepare(postgres.url, secretKey);
    const shared = {
      DATABASE_URL: postgres.url,
      KAFKA_BROKERS: kafka.addresses.join(','),
      KAFKA_REPLICATION_FACTOR: String(brokers),
      KAFKA_MIN_INSYNC_REPLICAS: String(Math.min(2, brokers)),
      SECRET_KEY: secretKey,
      LOG_LEVEL: 'info',
      ...env,
    };
    const names: ServiceName[] = ['gateway', 'console', 'enrichment', 'ingest'];
    const services = Object.fromEntries(
      await Promise.all(
        names.map(async (name) => {
          const count = replicas[name] ?? 1;
          return [name, await Promise.all(Array.from({ length: count }, () => startService(name, shared)))];
        }),
      ),
    ) as Record<ServiceName, ServerProcess[]>;
    const client = new Client({
      url: `http://127.0.0.1:${services.gateway[0]!.port}`,
      consoleUrl: `http://127.0.0.1:${services.console[0]!.port}`,
      ...CREDENTIALS,
    });
    const deployment = new Deployment(kafka, postgres, services, client);
    leftOvers.add(deployment);
    return deployment;
  }

  /** The last of what the services logged. */
  logs(): string {
    return Object.entries(this.services)
      .flatMap(([name, processes]) =>
        processes.map(({ output, isRunning }) => `── ${name}${isRunning ? '' : ' (ended)'}\n${output}`),
      )
      .join('\n');
  }

  async dispose(): Promise<void> {
    leftOvers.delete(this);
    await Promise.all(Object.values(this.services).flatMap((processes) => processes.map((process) => process.stop())));
    await Promise.all([this.kafka.dispose(), this.postgres.dispose()]);
  }
}

async function startService(name: ServiceName, env: Record<string, string>): Promise<ServerProcess> {
  const port = await freePort();
  return new ServerProcess({
    command: process.execPath,
    args: [join(ROOT, `dist/apps/${name}/src/main.js`)],
    cwd: ROOT,
    env: { ...env, PORT: String(port) },
    port,
    restart: true,
  }).start();
}

async function prepare(url: string, secretKey: string): Promise<void> {
  const database = await createDataSource({ url, poolSize: 2 }).initialize();
  await migrate(database);
  await new BootstrapRepository(database, new SecretBox(secretKey)).bootstrap({
    projectAccessToken: CREDENTIALS.accessToken,
    apiKey: CREDENTIALS.apiKey,
  });
  await database.destroy();
}
