import { pino } from 'pino';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { newDataDirectory } from './data-template.ts';
import { leftOvers } from './instance.js';
import { removeFolder, temporaryFolder } from './run-folder.js';
import { TcpRelay } from './tcp-relay.js';

/** PostgreSQL server outside the instance. Its address stays the same across restarts. */
export class ExternalPostgres {
  private constructor(
    private readonly dataDirectory: string,
    private readonly relay: TcpRelay,
    private server: EmbeddedPostgres,
  ) {}

  /** @param options.isEmpty Starts without migrations. Runs without a data template always do. */
  static async start({ isEmpty = false } = {}): Promise<ExternalPostgres> {
    const dataDirectory = await (isEmpty ? temporaryFolder() : newDataDirectory());
    const server = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'silent' }) });
    const relay = await TcpRelay.start(() => Number(new URL(postgres.server.url).port));
    const postgres = new ExternalPostgres(dataDirectory, relay, server);
    leftOvers.add(postgres);
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
    this.cut();
  }

  /** Closes all connections abruptly. */
  cut(): void {
    this.relay.cut();
  }

  async resume(): Promise<void> {
    this.server = await EmbeddedPostgres.start({ dataDirectory: this.dataDirectory, log: pino({ level: 'silent' }) });
    this.relay.isReachable = true;
  }

  async dispose(): Promise<void> {
    leftOvers.delete(this);
    await this.stop();
    await this.relay.close();
    await removeFolder(this.dataDirectory);
  }
}
