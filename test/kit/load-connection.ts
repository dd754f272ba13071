import { connect, type Socket } from 'node:net';

/** Read buffer shared by all sockets. Each chunk is decoded before the next one is read. */
const READ_BUFFER = Buffer.allocUnsafe(64 * 1024);
const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const RETRY_AFTER = /\r\nretry-after: *(.*)/i;

interface LoadAnswer {
  /** 0 if the connection failed. */
  status: number;
  retryAfter: string | null;
}

/**
 * Connection that sends one request at a time. It uses less CPU than an HTTP client, which leaves more for the server
 * under load. Responses must have a `Content-Length` or no body.
 */
export class LoadConnection {
  private socket: Socket | null = null;
  private answered: ((answer: LoadAnswer) => void) | null = null;
  /** Incomplete response. */
  private received = '';
  private readonly address: { host: string; port: number };

  constructor(host: string, port: number) {
    this.address = { host, port };
  }

  /** @param request Head and body. @param answered Called once. */
  send(request: Buffer, answered: (answer: LoadAnswer) => void): void {
    this.answered = answered;
    this.socket ??= this.open();
    this.socket.write(request);
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const onread = {
      buffer: READ_BUFFER,
      callback: (bytes: number): boolean => {
        this.receive(READ_BUFFER.toString('latin1', 0, bytes));
        return true;
      },
    };
    const socket = connect({ ...this.address, noDelay: true, onread });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.socket = null;
      this.end({ status: 0, retryAfter: null });
    });
    return socket;
  }

  private receive(piece: string): void {
    this.received += piece;
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.received.slice(0, headEnd);
    const length = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    if (this.received.length < headEnd + HEAD_END.length + length) return;
    const status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
    this.end({ status, retryAfter: status === 503 ? (RETRY_AFTER.exec(head)?.[1] ?? null) : null });
  }

  private end(answer: LoadAnswer): void {
    const { answered } = this;
    this.received = '';
    this.answered = null;
    answered?.(answer);
  }
}
