import { LoadConnection } from './load-connection.ts';

interface HttpLoadOptions {
  url: string;
  path: string;
  /** Requests to send in rotation. */
  requests: readonly { headers: Record<string, string>; body: string }[];
  connections: number;
  /** Duration in milliseconds. */
  durationMs: number;
  /** Requests per second, sent without waiting for responses. By default, each connection waits for its response. */
  rate?: number;
}

/** Response times in milliseconds by status. Status 0 means that the connection failed. */
export class HttpLoadResult {
  readonly durations = new Map<number, number[]>();
  readonly retryAfter = new Set<string | null>();

  /** Milliseconds from the start of the load to the last response, by status. */
  private readonly lastResponseMsByStatus = new Map<number, number>();

  /** @param elapsedMs Milliseconds since the start of the load. */
  add(status: number, milliseconds: number, elapsedMs: number, retryAfter: string | null = null): void {
    const durations = this.durations.get(status) ?? [];
    durations.push(milliseconds);
    this.durations.set(status, durations);
    this.lastResponseMsByStatus.set(status, Math.max(elapsedMs, this.lastResponseMsByStatus.get(status) ?? 0));
    if (status === 503) this.retryAfter.add(retryAfter);
  }

  /** Number of responses, including failed connections. */
  get total(): number {
    return [...this.durations.values()].reduce((sum, durations) => sum + durations.length, 0);
  }

  /** Milliseconds from the start of the load to the last response. */
  get lastResponseMs(): number {
    return Math.max(...this.lastResponseMsByStatus.values());
  }

  count(status: number): number {
    return this.durations.get(status)?.length ?? 0;
  }

  /** Returns responses per second up to the last response, which may arrive after the load's duration. */
  responsesPerSecond(status: number): number {
    return (this.count(status) * 1_000) / (this.lastResponseMsByStatus.get(status) ?? Infinity);
  }

  /**
   * @param status Response status, or null for all responses.
   * @param share Quantile from 0 to 1.
   * @returns the response time in milliseconds, or 0 if there were no such responses
   */
  quantile(status: number | null, share: number): number {
    const durations = status === null ? [...this.durations.values()].flat() : (this.durations.get(status) ?? []);
    const sorted = durations.toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  }
}

/** Posts requests for the given duration. Resolves once all have completed. */
export async function runHttpLoad({
  url,
  path,
  durationMs: duration,
  rate,
  ...options
}: HttpLoadOptions): Promise<HttpLoadResult> {
  const { hostname, port, host } = new URL(url);
  const connections = Array.from({ length: options.connections }, () => new LoadConnection(hostname, Number(port)));
  const requests = options.requests.map(({ headers, body }) => requestBytes(host, path, headers, body));
  const idleConnections = [...connections];
  /** Requests waiting for a free connection. */
  const pendingSends: ((connection: LoadConnection) => void)[] = [];
  const result = new HttpLoadResult();
  const loadStart = performance.now();
  let sent = 0;
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      const started = performance.now();
      const sendRequest = (connection: LoadConnection): void =>
        connection.send(requests[sent++ % requests.length]!, ({ status, retryAfter }) => {
          const now = performance.now();
          result.add(status, now - started, now - loadStart, retryAfter);
          const next = pendingSends.shift();
          if (next === undefined) idleConnections.push(connection);
          else next(connection);
          resolve();
        });
      const connection = idleConnections.pop();
      if (connection === undefined) pendingSends.push(sendRequest);
      else sendRequest(connection);
    });
  if (rate === undefined) {
    const end = performance.now() + duration;
    const work = async (): Promise<void> => {
      while (performance.now() < end) await send();
    };
    await Promise.all(Array.from(connections, work));
  } else {
    await sendAtRate(send, rate, duration);
  }
  for (const connection of connections) connection.close();
  return result;
}

function requestBytes(host: string, path: string, headers: Record<string, string>, body: string): Buffer {
  const all = { host, ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

async function sendAtRate(send: () => Promise<void>, rate: number, duration: number): Promise<void> {
  const pending: Promise<void>[] = [];
  const started = performance.now();
  const total = Math.round((rate * duration) / 1_000);
  while (pending.length < total) {
    const dueCount = Math.min(total, Math.ceil(((performance.now() - started) * rate) / 1_000));
    while (pending.length < dueCount) pending.push(send());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pending);
}
