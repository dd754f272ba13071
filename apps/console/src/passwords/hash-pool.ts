import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Parameters of scrypt (RFC 7914). */
export interface ScryptParameters {
  N: number;
  r: number;
  p: number;
  /** Key length in bytes. */
  length: number;
}

export interface HashJob extends ScryptParameters {
  password: string;
  salt: string;
}

/** Priority of a job. `known` jobs run first. */
export type HashPriority = 'known' | 'stranger';

interface HashPoolOptions {
  threads?: number;
  /** Maximum number of waiting jobs per priority. */
  maxWaiting?: number;
}

/** Thrown if all threads are busy and the queue is full. */
export class HashPoolFullError extends Error {
  override name = 'HashPoolFullError';

  constructor() {
    super('too many passwords are being hashed');
  }
}

/** Limits memory on machines with many cores: each running hash uses 32 MB (128 × N × r). */
const MAX_THREADS = 4;
/** Keeps the wait of the last job at a few seconds. */
const MAX_WAITING_PER_THREAD = 16;

/**
 * Code of the worker threads. It's a string, so bundles and packages don't need an extra file. The asynchronous
 * `scrypt` isn't used: it would occupy libuv's thread pool, which DNS, file access and decompression share.
 */
const PROGRAM = `
  const { scryptSync } = require('node:crypto');
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ password, salt, length, N, r, p }) => {
    parentPort.postMessage(scryptSync(password, salt, length, { N, r, p, maxmem: 256 * N * r + 256 * r * p }));
  });
`;

interface Waiting {
  job: HashJob;
  resolve: (key: Buffer) => void;
  reject: (error: unknown) => void;
}

/** Runs a limited number of scrypt jobs in separate threads. Threads are started when they are first needed. */
export class HashPool {
  readonly threads: number;
  private readonly maxWaiting: number;
  private readonly waiting: Record<HashPriority, Waiting[]> = { known: [], stranger: [] };
  private readonly idle: Worker[] = [];
  private readonly busy = new Set<Worker>();

  constructor({
    threads = Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    maxWaiting = MAX_WAITING_PER_THREAD * threads,
  }: HashPoolOptions = {}) {
    this.threads = threads;
    this.maxWaiting = maxWaiting;
  }

  /**
   * Derives a key.
   *
   * @throws {HashPoolFullError} if all threads are busy and the queue of this priority is full.
   */
  run(job: HashJob, priority: HashPriority): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const waiting = { job, resolve, reject };
      if (this.busy.size < this.threads) this.start(waiting);
      else if (this.waiting[priority].length < this.maxWaiting) this.waiting[priority].push(waiting);
      else reject(new HashPoolFullError());
    });
  }

  /** Terminates the threads, and rejects all running and waiting jobs. */
  async close(): Promise<void> {
    for (const queue of Object.values(this.waiting)) {
      for (const { reject } of queue.splice(0)) reject(new Error('the hash pool was closed'));
    }
    await Promise.all([...this.idle.splice(0), ...this.busy].map((worker) => worker.terminate()));
  }

  private start({ job, resolve, reject }: Waiting): void {
    const worker = this.idle.pop() ?? new Worker(PROGRAM, { eval: true, execArgv: [], env: {} });
    worker.ref();
    this.busy.add(worker);
    const end = (settle: () => void): void => {
      worker.off('message', succeed).off('error', fail).off('exit', fail);
      this.busy.delete(worker);
      settle();
      const next = this.waiting.known.shift() ?? this.waiting.stranger.shift();
      if (next !== undefined) this.start(next);
    };
    const succeed = (key: Uint8Array): void => {
      // An idle thread doesn't keep the process alive.
      worker.unref();
      this.idle.push(worker);
      end(() => resolve(Buffer.from(key)));
    };
    const fail = (cause: unknown): void => end(() => reject(new Error('the thread of a hash has ended', { cause })));
    worker.on('message', succeed).on('error', fail).on('exit', fail);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(job);
  }
}
