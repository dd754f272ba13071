import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { createDataDirectory } from './data-template.ts';
import { removeFolder, temporaryFolder } from './run-folder.js';
import { TcpRelay } from './tcp-relay.js';

const options = { log: pino({ level: 'silent' }) };

/** A PostgreSQL server and a streaming replica of it, which clients reach through a relay. */
export class ReplicatedPostgres {
  private constructor(
    readonly primary: EmbeddedPostgres,
    readonly replica: EmbeddedPostgres,
    readonly replicaRelay: TcpRelay,
    private readonly folders: string[],
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const [dataDirectory, replicaDirectory] = [await createDataDirectory(), await temporaryFolder()];
    const first = await EmbeddedPostgres.start({ dataDirectory, ...options });
    await first.stop();
    await promisify(execFile)('cp', ['-a', `${dataDirectory}/.`, replicaDirectory]);
    const primary = await EmbeddedPostgres.start({ dataDirectory, ...options });
    const { port, username, password } = new URL(primary.url);
    await writeFile(join(replicaDirectory, 'postgres/standby.signal'), '');
    const replica = await EmbeddedPostgres.start({
      dataDirectory: replicaDirectory,
      settings: { primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password}` },
      ...options,
    });
    const relay = await TcpRelay.start(() => Number(new URL(replica.url).port));
    return new ReplicatedPostgres(primary, replica, relay, [dataDirectory, replicaDirectory]);
  }

  /** URL of the replica through the relay. */
  get replicaUrl(): string {
    const url = new URL(this.replica.url);
    url.port = String(this.replicaRelay.port);
    return url.href;
  }

  async stop(): Promise<void> {
    await this.replicaRelay.close();
    await this.replica.stop();
    await this.primary.stop();
    for (const folder of this.folders) await removeFolder(folder);
  }
}
