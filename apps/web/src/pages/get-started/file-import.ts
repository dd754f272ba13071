import {
  chunkLines,
  ImportSummary,
  isGzip,
  LineSplitter,
  LogImporter,
  Pace,
  VisitSender,
  type FailedRequest,
  type LogEvent,
  type Post,
  type Run,
} from '#libs/access-log';
import { toErrorMessage } from '../../api/client.js';

/** Maximum number of requests in flight. The sender lowers it while the instance is overloaded. */
const CONCURRENCY = 4;

export interface ImportProgress {
  state: 'running' | 'paused' | 'done' | 'canceled' | 'failed';
  lines: number;
  bytes: number;
  totalBytes: number;
  linesPerSecond: number;
  /** Estimated from recent throughput, or null if there's no estimate. */
  secondsLeft: number | null;
  /** Reason the import is waiting or has failed, or null if neither applies. */
  message: string | null;
}

/**
 * Imports log files in the browser. Reads them in chunks, which keeps the page responsive and supports files larger
 * than the available memory.
 */
export class FileImport {
  readonly summary = new ImportSummary();
  private readonly canceled = new AbortController();
  private readonly pace = new Pace({ time: performance.now(), lines: 0, bytes: 0 });
  private readonly totalBytes: number;
  private state: ImportProgress['state'] = 'running';
  private resumed = Promise.withResolvers<void>();
  private message: { text: string; until: number } | null = null;

  constructor(
    private readonly files: readonly File[],
    private readonly token: string,
  ) {
    this.totalBytes = files.reduce((bytes, { size }) => bytes + size, 0);
    this.resumed.resolve();
  }

  /** Resolves once the import is done, canceled or failed. `progress()` returns the outcome. */
  async run(): Promise<void> {
    const { signal } = this.canceled;
    const sender = new VisitSender({
      send: (body, headers) => this.send(body, headers),
      failedRequest: (error) => (error instanceof RequestError ? error.failed : null),
      pack: gzip,
      // Retry indefinitely: the page shows that the import is waiting and lets the user cancel it.
      retryPeriodMs: Infinity,
      concurrency: CONCURRENCY,
      signal,
      onWait: (text, wait) => (this.message = { text, until: performance.now() + wait }),
    });
    const post: Post = (body, identity) => sender.post(body, identity);
    const { summary, files } = this;
    const concurrency = CONCURRENCY;
    const importer = new LogImporter({ format: null, concurrency, post, logs: files.length, summary, signal });
    try {
      for (const file of this.files) {
        if (!signal.aborted) await this.importFile(importer, file);
      }
      this.state = signal.aborted ? 'canceled' : 'done';
    } catch (error) {
      this.state = signal.aborted ? 'canceled' : 'failed';
      this.message = { text: toErrorMessage(error), until: Infinity };
    }
  }

  pause(): void {
    if (this.state !== 'running') return;
    this.state = 'paused';
    this.resumed = Promise.withResolvers();
  }

  resume(): void {
    if (this.state === 'paused') this.state = 'running';
    this.resumed.resolve();
  }

  cancel(): void {
    this.canceled.abort();
    this.resumed.resolve();
  }

  progress(): ImportProgress {
    const { lines, bytes } = this.summary.done;
    const { state, totalBytes, pace, message } = this;
    const time = performance.now();
    pace.add({ time, lines, bytes });
    const { linesPerSecond, bytesPerSecond } = pace;
    const secondsLeft = state === 'running' && bytesPerSecond > 0 ? (totalBytes - bytes) / bytesPerSecond : null;
    const text = message !== null && time < message.until ? message.text : null;
    return { state, lines, bytes, totalBytes, linesPerSecond, secondsLeft, message: text };
  }

  private async importFile(importer: LogImporter, file: File): Promise<void> {
    try {
      await importer.import(file.name, this.runs(file));
    } catch (error) {
      if (importer.ended.aborted) throw error;
      this.summary.failures.push(`${file.name}: ${describeReadError(error)}`);
    }
  }

  private async *runs(file: File): AsyncGenerator<Run> {
    let bytes = 0;
    for await (const run of chunkLines(readLog(file, (read) => (bytes += read)))) {
      await nextTask();
      await this.resumed.promise;
      yield { ...run, bytes };
      bytes = 0;
    }
  }

  /** Posts to the page's own origin, which proxies `/visits` to the gateway. */
  private async send(body: BodyInit, headers: Record<string, string>): Promise<Headers> {
    const { signal } = this.canceled;
    const response = await fetch('/visits', {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${this.token}` },
      body,
      credentials: 'omit',
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new RequestError({ status: null, message: "The server isn't responding." });
    });
    if (response.ok) return response.headers;
    throw await requestError(response);
  }
}

class RequestError extends Error {
  constructor(readonly failed: FailedRequest) {
    super(failed.message);
  }
}

async function requestError(response: Response): Promise<RequestError> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  const { status, headers } = response;
  const wait = headers.get('retry-after');
  return new RequestError({
    status,
    message: problem.detail ?? `The server responded with status ${status} at ${location.origin}/visits.`,
    retryAfter: wait !== null && /^\d+$/.test(wait) ? Number(wait) * 1_000 : undefined,
  });
}

async function* readLog(file: File, onBytes: (bytes: number) => void): AsyncGenerator<LogEvent> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const source = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (bytes, controller) => {
        onBytes(bytes.length);
        controller.enqueue(bytes);
      },
    }),
  );
  const reader = (isGzip(start) ? source.pipeThrough(new DecompressionStream('gzip')) : source).getReader();
  const splitter = new LineSplitter();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      yield { kind: 'lines', lines: splitter.push(next.value) };
    }
    const line = splitter.end();
    if (line !== undefined) yield { kind: 'unfinished', line };
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const gzip = async (body: string): Promise<Uint8Array<ArrayBuffer>> => {
  const gzipped = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(gzipped).arrayBuffer());
};

/**
 * Yields to the event loop so the page can render and handle input. Posts a message instead of setting a timer because
 * browsers throttle timers in background tabs to one per second.
 */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const onMessage = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener('message', onMessage, { once: true });
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * Browsers report gzip errors without details. The usual cause is a truncated file, or one with several concatenated
 * gzip streams.
 */
const describeReadError = (error: unknown): string =>
  error instanceof TypeError
    ? 'The end of the file can’t be decompressed. If the file isn’t truncated, import it with the command-line client.'
    : toErrorMessage(error);
