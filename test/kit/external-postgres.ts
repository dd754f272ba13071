import { connect, createServer, type Server, type Socket } from 'node:net';
import { pino } from 'pino';
import { EmbeddedPostgres } from '#libs/embedded-postgres';
import { leftOvers } from './instance.js';
import { removeFolder, temporaryFolder } from './run-folder.js';

/** A PostgreSQL that is not the instance's own, at an address that stays the same when it is stopped and started. */
export class ExternalPostgres {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly dataDirectory: string,
    private readonly relay: Server,
    private server: EmbeddedPostgres | null,
  ) {}

  static async start(): Promise<ExternalPostgres> {
    const dataDirectory = await temporaryFolder();
    const server = await EmbeddedPostgres.start({ dataDirectory, log: pino({ level: 'silent' }) });
    const relay = createServer();
    const postgres = new ExternalPostgres(dataDirectory, relay, server);
    leftOvers.add(postgres);
    relay.on('connection', (socket) => postgres.pass(socket));
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    return postgres;
  }

  get url(): string {
    const url = new URL(this.server!.url);
    url.port = String((this.relay.address() as { port: number }).port);
    return url.href;
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    await server?.stop();
    this.cut();
  }

  /** Breaks all connections without a word. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async resume(): Promise<void> {
    this.server = await EmbeddedPostgres.start({ dataDirectory: this.dataDirectory, log: pino({ level: 'silent' }) });
  }

  async dispose(): Promise<void> {
    leftOvers.delete(this);
    await this.stop();
    await new Promise((resolve) => this.relay.close(resolve));
    await removeFolder(this.dataDirectory);
  }

  private pass(socket: Socket): void {
    if (this.server === null) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(new URL(this.server.url).port), '127.0.0.1');
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }
}
