import { LoadConnection } from './load-connection.ts';

interface HttpLoadOptions {
  url: string;
  path: string;
  /** Requests to post in rotation. */
  requests: readonly { headers: Record<string, string>; body: string }[];
  connections: number;
  /** Duration in milliseconds. */
  duration: number;
  /** Requests per second, sent without waiting for responses. By default, each connection waits for its response. */
  rate?: number;
}

/** Response times in milliseconds, by status. Status 0 is a failed connection. */
export class HttpLoadResult {
  readonly durations = new Map<number, number[]>();
  readonly retryAfter = new Set<string | null>();

  /** Milliseconds from the start of the load to the last response, by status. */
  private readonly last = new Map<number, number>();

  /** @param ended Milliseconds since the start of the load. */
  add(status: number, milliseconds: number, ended: number, retryAfter: string | null = null): void {
    const durations = this.durations.get(status) ?? [];
    durations.push(milliseconds);
    this.durations.set(status, durations);
    this.last.set(status, Math.max(ended, this.last.get(status) ?? 0));
    if (status === 503) this.retryAfter.add(retryAfter);
  }

  /** Number of responses, including failed connections. */
  get total(): number {
    return [...this.durations.values()].reduce((sum, durations) => sum + durations.length, 0);
  }

  /** Milliseconds from the start of the load to the last response. */
  get ended(): number {
    return Math.max(...this.last.values());
  }

  count(status: number): number {
    return this.durations.get(status)?.length ?? 0;
  }

  /** Returns the rate of responses until the last one, which may arrive after the load's duration. */
  perSecond(status: number): number {
    return (this.count(status) * 1_000) / (this.last.get(status) ?? Infinity);
  }

  /**
   * @param status Null for all responses.
   * @param share Between 0 and 1.
   * @returns milliseconds, or 0 if there were no such responses.
   */
  quantile(status: number | null, share: number): number {
    const durations = status === null ? [...this.durations.values()].flat() : (this.durations.get(status) ?? []);
    const sorted = durations.toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  }
}

/** Posts requests for the given duration and resolves once all have completed. */
export async function httpLoad({ url, path, duration, rate, ...options }: HttpLoadOptions): Promise<HttpLoadResult> {
  const { hostname, port, host } = new URL(url);
  const connections = Array.from({ length: options.connections }, () => new LoadConnection(hostname, Number(port)));
  const requests = options.requests.map(({ headers, body }) => requestBytes(host, path, headers, body));
  const free = [...connections];
  /** Requests that wait for a free connection. */
  const waiting: ((connection: LoadConnection) => void)[] = [];
  const result = new HttpLoadResult();
  const begun = performance.now();
  let sent = 0;
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      const started = performance.now();
      const sendOn = (connection: LoadConnection): void =>
        connection.send(requests[sent++ % requests.length]!, ({ status, retryAfter }) => {
          const now = performance.now();
          result.add(status, now - started, now - begun, retryAfter);
          const next = waiting.shift();
          if (next === undefined) free.push(connection);
          else next(connection);
          resolve();
        });
      const connection = free.pop();
      if (connection === undefined) waiting.push(sendOn);
      else sendOn(connection);
    });
  if (rate === undefined) {
    const end = performance.now() + duration;
    const work = async (): Promise<void> => {
      while (performance.now() < end) await send();
    };
    await Promise.all(Array.from(connections, work));
  } else {
    await openLoop(send, rate, duration);
  }
  for (const connection of connections) connection.close();
  return result;
}

function requestBytes(host: string, path: string, headers: Record<string, string>, body: string): Buffer {
  const all = { host, ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

async function openLoop(send: () => Promise<void>, rate: number, duration: number): Promise<void> {
  const open: Promise<void>[] = [];
  const started = performance.now();
  const total = Math.round((rate * duration) / 1_000);
  while (open.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - started) * rate) / 1_000));
    while (open.length < due) open.push(send());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(open);
}
