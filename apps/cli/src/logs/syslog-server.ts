import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { SyslogFrames } from '#libs/access-log';

/** Receive buffer for bursts. The operating system may cap it. */
const UDP_BUFFER_BYTES = 8 * 1_024 * 1_024;
const MAX_CONNECTIONS = 128;
/** Time to receive data in flight while closing. */
const CLOSE_DELAY_MS = 250;

export interface Address {
  host: string;
  port: number;
}

/** Consumer of the messages of one connection, or of all UDP messages, in order. */
export interface MessageSource {
  /** @param finished false if the message may be cut off because the connection ended. */
  take: (message: string, finished: boolean) => void;
}

interface SyslogOptions {
  /** UDP and TCP use the same port. */
  plain?: Address | undefined;
  tls?: (Address & { certificate: Buffer; key: Buffer }) | undefined;
  /** Called once for UDP, whose senders can't be slowed down, and once per connection. */
  newSource: (canWait: boolean) => MessageSource;
  /** Called when a connection is closed because its data can't be parsed. */
  onFault: (reason: string) => void;
}

/** Receives syslog over UDP, TCP and TLS (RFC 5426, RFC 6587 and RFC 5425). */
export class SyslogServer {
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private udp: UdpSocket | undefined;
  private isPaused = false;

  constructor(private readonly options: SyslogOptions) {}

  /** Starts listening. Returns the addresses as text. Rejects if an address can't be bound. */
  async start(): Promise<string[]> {
    const { plain, tls } = this.options;
    const listening: string[] = [];
    if (plain !== undefined) {
      const { port } = await this.listen(createServer(this.accept), plain);
      await this.listenUdp({ ...plain, port });
      listening.push(`${textOf({ ...plain, port })} (UDP and TCP)`);
    }
    if (tls !== undefined) {
      const { port } = await this.listen(createTlsServer({ cert: tls.certificate, key: tls.key }, this.accept), tls);
      listening.push(`${textOf({ ...tls, port })} (TLS)`);
    }
    return listening;
  }

  /** Stops reading from connections, which makes their senders wait. */
  pause(): void {
    this.isPaused = true;
    for (const socket of this.sockets) socket.pause();
  }

  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    for (const socket of this.sockets) socket.resume();
  }

  /** Stops accepting connections, receives data in flight, and closes. */
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
      try {
        for (const message of frames.push(bytes.toString('latin1'))) source.take(message, true);
      } catch (error) {
        this.options.onFault((error as Error).message);
        socket.destroy();
      }
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

const textOf = ({ host, port }: Address): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;
