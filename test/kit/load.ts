import { Client, visit } from './client.js';
import { pause } from './instance.js';

interface LoadOptions {
  workers?: number;
  perRequest?: number;
  /** Milliseconds that a worker waits after a 204. */
  every?: number;
  /** First number. Loads of the same test must not share numbers. */
  from?: number;
  /** Request headers of a visit. Default: those of Googlebot from one address. */
  headersOf?: (number: number) => Record<string, string>;
  /** Receives the numbers of a request before it's sent. */
  record?: (numbers: readonly number[]) => void;
}

/** Steady load of numbered visits that records the outcome of each request. */
export class Load {
  /** Numbers of visits whose request got a 204. */
  readonly accepted = new Set<number>();
  /** Number of responses by status. Status 0 is a failed connection. */
  readonly statuses = new Map<number, number>();
  /** Error codes of failed connections, and bodies of responses other than 204. */
  readonly failures = new Set<string>();
  /** Number of 503 responses without `Retry-After`. */
  withoutRetryAfter = 0;
  /** Slowest response in milliseconds. */
  slowest = 0;
  /** Response times in milliseconds. */
  readonly durations: number[] = [];

  private readonly headersOf: LoadOptions['headersOf'];
  private readonly record: ((numbers: readonly number[]) => void) | undefined;
  private running = true;
  private next: number;
  private readonly workers: Promise<void>[];

  constructor(
    private readonly client: Client,
    { workers = 4, perRequest = 3, every = 15, from = 1, headersOf, record }: LoadOptions = {},
  ) {
    this.headersOf = headersOf;
    this.record = record;
    this.next = from - 1;
    this.workers = Array.from({ length: workers }, () => this.work(perRequest, every));
  }

  static pathOf(number: number): string {
    return `/numbered/${number}`;
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.workers);
  }

  private async work(perRequest: number, every: number): Promise<void> {
    while (this.running) {
      const numbers = Array.from({ length: perRequest }, () => (this.next += 1));
      this.record?.(numbers);
      const started = Date.now();
      const status = await this.send(numbers);
      this.durations.push(Date.now() - started);
      this.slowest = Math.max(this.slowest, Date.now() - started);
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      if (status === 204) for (const number of numbers) this.accepted.add(number);
      await pause(status === 204 ? every : 50);
    }
  }

  private async send(numbers: number[]): Promise<number> {
    try {
      const response = await this.client.post(
        '/visits',
        numbers.map((number) =>
          visit(Load.pathOf(number), this.headersOf && { request_headers: this.headersOf(number) }),
        ),
      );
      if (response.status === 503 && response.headers.get('retry-after') === null) this.withoutRetryAfter += 1;
      const body = await response.text();
      if (response.status !== 204) this.failures.add(body);
      return response.status;
    } catch (error) {
      const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
      this.failures.add(cause?.code ?? (error as Error).message);
      return 0;
    }
  }
}

/** Counts how often each numbered visit is stored. */
export function timesStored(visits: readonly { visit: { request_path: string } }[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const {
    visit: { request_path: path },
  } of visits) {
    const number = Number(/^\/numbered\/(\d+)$/.exec(path)?.[1]);
    if (!Number.isNaN(number)) times.set(number, (times.get(number) ?? 0) + 1);
  }
  return times;
}
