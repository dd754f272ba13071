import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Treatment of data: passed on, passed on after a delay in each direction, or held back while connections stay open.
 */
type TrafficMode = 'open' | 'silent' | { delayMs: number };

/** Relay in front of a port that can simulate network failures. */
export class TcpRelay {
  /** If false, new connections are closed immediately. */
  isReachable = true;
  trafficMode: TrafficMode = 'open';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly targetPort: () => number,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  /** @param targetPort Called for each connection. */
  static async start(targetPort: () => number): Promise<TcpRelay> {
    const server = createServer();
    const relay = new TcpRelay(server, targetPort);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Drops all connections abruptly. */
  dropConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.isReachable = false;
    this.dropConnections();
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
      void this.forwardData(queue, to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
    }
  }

  private async forwardData(from: PassThrough, to: Socket): Promise<void> {
    for await (const bytes of from) {
      while (this.trafficMode === 'silent') await sleep(20);
      if (this.trafficMode !== 'open') await sleep(this.trafficMode.delayMs);
      if (to.destroyed) return;
      to.write(bytes);
    }
    to.end();
  }
}
