import { pino } from 'pino';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { createDataDirectory } from './data-template.ts';
import { disposables } from './instance.js';
import { removeFolder, temporaryFolder } from './run-folder.js';
import { TcpRelay } from './tcp-relay.js';

/** PostgreSQL server that the instance doesn't manage. Its address stays the same across restarts. */
export class ExternalPostgres {
  private constructor(
    private readonly dataDirectory: string,
    private readonly relay: TcpRelay,
    private server: EmbeddedPostgres,
  ) {}

  /** @param options.isEmpty Starts with an unmigrated database. Without a data template, this is always the case. */
  static async start({ isEmpty = false } = {}): Promise<ExternalPostgres> {
    const dataDirectory = await (isEmpty ? temporaryFolder() : createDataDirectory());
    const server = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'silent' }) });
    const relay = await TcpRelay.start(() => Number(new URL(postgres.server.url).port));
    const postgres = new ExternalPostgres(dataDirectory, relay, server);
    disposables.add(postgres);
    return postgres;
  }

  get url(): string {
    const url = new URL(this.server.url);
    url.port = String(this.relay.port);
    return url.href;
  }

  async stop(): Promise<void> {
    this.relay.isReachable = false;
    await this.server.stop();
    this.dropConnections();
  }

  /** Drops all connections abruptly. */
  dropConnections(): void {
    this.relay.dropConnections();
  }

  async resume(): Promise<void> {
    this.server = await EmbeddedPostgres.start({ dataDirectory: this.dataDirectory, log: pino({ level: 'silent' }) });
    this.relay.isReachable = true;
  }

  async dispose(): Promise<void> {
    disposables.delete(this);
    await this.stop();
    await this.relay.close();
    await removeFolder(this.dataDirectory);
  }
}
