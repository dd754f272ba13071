import { Client, visit } from './client.js';
import { pause } from './instance.js';

interface LoadOptions {
  workers?: number;
  perRequest?: number;
  /** Pause in milliseconds after a 204 response. */
  pauseMs?: number;
  /** First visit number. Loads in the same test must not share numbers. */
  firstNumber?: number;
  /** Returns a visit's request headers. Default: Googlebot's headers from a single address. */
  createHeaders?: (number: number) => Record<string, string>;
  /** Called with a request's visit numbers before it's sent. */
  onSend?: (numbers: readonly number[]) => void;
}

/** Sends a steady load of numbered visits and records the outcome of each request. */
export class Load {
  /** Numbers of visits whose request got a 204 response. */
  readonly accepted = new Set<number>();
  /** Number of responses by status. Status 0 means that the connection failed. */
  readonly statuses = new Map<number, number>();
  /** Error codes of failed connections and bodies of non-204 responses. */
  readonly failures = new Set<string>();
  /** Number of 503 responses without `Retry-After`. */
  withoutRetryAfter = 0;
  /** Slowest response time in milliseconds. */
  slowestMs = 0;
  /** Response times in milliseconds. */
  readonly durations: number[] = [];

  private readonly createHeaders: LoadOptions['createHeaders'];
  private readonly onSend: ((numbers: readonly number[]) => void) | undefined;
  private isRunning = true;
  private lastNumber: number;
  private readonly workers: Promise<void>[];

  constructor(
    private readonly client: Client,
    { workers = 4, perRequest = 3, pauseMs = 15, firstNumber = 1, createHeaders, onSend }: LoadOptions = {},
  ) {
    this.createHeaders = createHeaders;
    this.onSend = onSend;
    this.lastNumber = firstNumber - 1;
    this.workers = Array.from({ length: workers }, () => this.work(perRequest, pauseMs));
  }

  static toPath(number: number): string {
    return `/numbered/${number}`;
  }

  async stop(): Promise<void> {
    this.isRunning = false;
    await Promise.all(this.workers);
  }

  private async work(perRequest: number, every: number): Promise<void> {
    while (this.isRunning) {
      const numbers = Array.from({ length: perRequest }, () => (this.lastNumber += 1));
      this.onSend?.(numbers);
      const started = Date.now();
      const status = await this.send(numbers);
      this.durations.push(Date.now() - started);
      this.slowestMs = Math.max(this.slowestMs, Date.now() - started);
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
          visit(Load.toPath(number), this.createHeaders && { request_headers: this.createHeaders(number) }),
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
export function countStored(visits: readonly { visit: { request_path: string } }[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const {
    visit: { request_path: path },
  } of visits) {
    const number = Number(/^\/numbered\/(\d+)$/.exec(path)?.[1]);
    if (!Number.isNaN(number)) times.set(number, (times.get(number) ?? 0) + 1);
  }
  return times;
}
