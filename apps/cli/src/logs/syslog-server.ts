import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { SyslogFrames } from '#libs/access-log';

/** Size of the receive buffer, which absorbs bursts. The operating system may limit it. */
const UDP_BUFFER_BYTES = 8 * 1_024 * 1_024;
const MAX_CONNECTIONS = 128;
/** Time to wait for data in flight before closing the connections. */
const CLOSE_DELAY_MS = 250;

export interface Address {
  host: string;
  port: number;
}

/** Consumes messages in order, either from one connection or from all UDP senders. */
export interface MessageSource {
  /** @param finished False if the connection ended, so the message may be truncated. */
  take: (message: string, finished: boolean) => void;
}

interface SyslogOptions {
  /** UDP and TCP use the same port. */
  plain?: Address | undefined;
  tls?: (Address & { certificate: string; key: string }) | undefined;
  /**
   * Called once for each connection, and once for UDP. For UDP, `canWait` is false, because its senders can't be slowed
   * down.
   */
  newSource: (canWait: boolean) => MessageSource;
}

/** Receives syslog over UDP, TCP and TLS (RFC 5426, RFC 6587 and RFC 5425). */
export class SyslogServer {
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private udp: UdpSocket | undefined;
  private isPaused = false;

  constructor(private readonly options: SyslogOptions) {}

  /** Starts listening and returns descriptions of the bound addresses. Rejects if an address can't be bound. */
  async start(): Promise<string[]> {
    const { plain, tls } = this.options;
    const listening: string[] = [];
    if (plain !== undefined) {
      const { port } = await this.listen(createServer(this.accept), plain);
      await this.listenUdp({ ...plain, port });
      listening.push(`${formatAddress({ ...plain, port })} (UDP and TCP)`);
    }
    if (tls !== undefined) {
      const { port } = await this.listen(createTlsServer({ cert: tls.certificate, key: tls.key }, this.accept), tls);
      listening.push(`${formatAddress({ ...tls, port })} (TLS)`);
    }
    return listening;
  }

  /** Stops reading from connections, so their senders have to wait. UDP isn't affected. */
  pause(): void {
    this.isPaused = true;
    for (const socket of this.sockets) socket.pause();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Stops accepting connections, receives in-flight data, then closes all connections. */
  async close(): Promise<void> {
    for (const server of this.servers) server.close();
    this.resume();
    await sleep(CLOSE_DELAY_MS);
    for (const socket of this.sockets) socket.destroy();
    this.udp?.close();
  }

  private async listen(server: Server, { host, port }: Address): Promise<AddressInfo> {
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.on('error', reject);
      server.listen(port, host, resolve);
    });
    this.servers.push(server);
    return server.address() as AddressInfo;
  }

  private readonly accept = (socket: Socket): void => {
    const source = this.options.newSource(true);
    const frames = new SyslogFrames();
    this.sockets.add(socket);
    if (this.isPaused) socket.pause();
    socket.on('data', (bytes: Buffer) => {
      for (const message of frames.push(bytes.toString('latin1'))) source.take(message, true);
    });
    socket.on('end', () => {
      const last = frames.end();
      if (last !== undefined) source.take(last, false);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  };

  private async listenUdp({ host, port }: Address): Promise<void> {
    const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: UDP_BUFFER_BYTES });
    const source = this.options.newSource(false);
    socket.on('message', (bytes) => source.take(bytes.toString('latin1').replace(/[\r\n\0]{1,3}$/, ''), true));
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.bind(port, host, resolve);
    });
    this.udp = socket;
  }
}

const formatAddress = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
