import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** What becomes of the bytes: they pass, each way after a delay in milliseconds, or are kept back while connections stay open. */
type Passage = 'open' | 'silent' | { delayMs: number };

/** A port in front of another one, at which the network fails as a test wants it to. */
export class TcpRelay {
  /** Whether new connections find somebody. */
  isReachable = true;
  passage: Passage = 'open';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly targetPort: () => number,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  /** @param targetPort asked for each connection. */
  static async start(targetPort: () => number): Promise<TcpRelay> {
    const server = createServer();
    const relay = new TcpRelay(server, targetPort);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Breaks all connections without a word. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.isReachable = false;
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    if (!this.isReachable) {
      socket.destroy();
      return;
    }
    const upstream = connect(this.targetPort(), '127.0.0.1');
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(from);
      const queue = new PassThrough();
      from.pipe(queue);
      void this.carry(queue, to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  private async carry(from: PassThrough, to: Socket): Promise<void> {
    for await (const bytes of from) {
      while (this.passage === 'silent') await sleep(20);
      if (this.passage !== 'open') await sleep(this.passage.delayMs);
      if (to.destroyed) return;
      to.write(bytes);
    }
    to.end();
  }
}
