import { Pool } from 'undici';

export interface HttpLoadOptions {
  url: string;
  path: string;
  /** What is posted, in turn. */
  requests: readonly { headers: Record<string, string>; body: string }[];
  connections: number;
  /** Milliseconds. */
  duration: number;
  /** Requests a second, whatever becomes of them; else each connection sends as soon as it has its answer. */
  rate?: number;
}

/** What became of requests, by status: milliseconds of each answer; 0 is a connection that failed. */
export class HttpLoadResult {
  readonly durations = new Map<number, number[]>();
  readonly retryAfter = new Set<string | null>();

  private readonly started = performance.now();
  /** When the last answer of a status came. */
  private readonly last = new Map<number, number>();

  add(status: number, milliseconds: number, retryAfter: string | null): void {
    const durations = this.durations.get(status) ?? [];
    durations.push(milliseconds);
    this.durations.set(status, durations);
    this.last.set(status, performance.now());
    if (status === 503) this.retryAfter.add(retryAfter);
  }

  count(status: number): number {
    return this.durations.get(status)?.length ?? 0;
  }

  /** Answers a second, until the last one: some come after the last request is sent. */
  perSecond(status: number): number {
    return (this.count(status) * 1_000) / ((this.last.get(status) ?? Infinity) - this.started);
  }

  /**
   * @param status all answers when null.
   * @param share between 0 and 1.
   * @returns milliseconds; 0 when there were no such answers.
   */
  quantile(status: number | null, share: number): number {
    const durations = status === null ? [...this.durations.values()].flat() : (this.durations.get(status) ?? []);
    const sorted = durations.toSorted((one, other) => one - other);
    return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  }
}

/** Posts again and again; resolves when all is answered. */
export async function httpLoad(options: HttpLoadOptions): Promise<HttpLoadResult> {
  const { url, path, connections, duration, rate } = options;
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: 30_000 });
  // Opening connections is not what is measured.
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const { body: answer } = await pool.request({ method: 'GET', path: '/healthz' });
      await answer.dump();
    }),
  );
  const result = new HttpLoadResult();
  const requests = options.requests.map(({ headers, body }) => ({ headers, body: Buffer.from(body) }));
  let sent = 0;
  const send = (): Promise<void> =>
    new Promise((resolve) => {
      const started = performance.now();
      let answer = { status: 0, retryAfter: null as string | null };
      const end = (): void => {
        result.add(answer.status, performance.now() - started, answer.retryAfter);
        resolve();
      };
      // Not request(), which takes twice the processor time: the load must not take it from what is measured.
      pool.dispatch(
        { method: 'POST', path, ...requests[sent++ % requests.length]! },
        {
          onRequestStart() {},
          onResponseStart(_controller, status, { 'retry-after': retryAfter = null }) {
            answer = { status, retryAfter: retryAfter as string | null };
          },
          onResponseEnd: end,
          onResponseError() {
            answer.status = 0;
            end();
          },
        },
      );
    });
  const end = performance.now() + duration;
  if (rate === undefined) {
    const work = async (): Promise<void> => {
      while (performance.now() < end) await send();
    };
    await Promise.all(Array.from({ length: connections }, work));
  } else {
    await openLoop(send, rate, duration);
  }
  await pool.close();
  return result;
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
