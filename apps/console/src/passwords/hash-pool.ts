import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** scrypt parameters (RFC 7914). */
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

/** Limits memory use on machines with many cores. Each running hash uses 32 MB (128 × N × r). */
const MAX_THREADS = 4;
/** Limits the wait for the last job in the queue to a few seconds. */
const MAX_WAITING_PER_THREAD = 16;

/**
 * Code of the worker threads. It is a string, so bundles and packages don't need an extra file. The asynchronous
 * `scrypt` would occupy libuv's thread pool, which DNS lookups, file access and decompression share.
 */
const WORKER_SOURCE = `
  const { scryptSync } = require('node:crypto');
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ password, salt, length, N, r, p }) => {
    parentPort.postMessage(scryptSync(password, salt, length, { N, r, p, maxmem: 256 * N * r + 256 * r * p }));
  });
`;

interface WaitingJob {
  job: HashJob;
  resolve: (key: Buffer) => void;
  reject: (error: unknown) => void;
}

/** Runs scrypt in a limited number of worker threads, which are started on demand. */
export class HashPool {
  readonly threads: number;
  private readonly maxWaiting: number;
  private readonly waiting: Record<HashPriority, WaitingJob[]> = { known: [], stranger: [] };
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
   * Derives a key in a worker thread.
   *
   * @throws {HashPoolFullError} if all threads are busy and the queue for this priority is full.
   */
  run(job: HashJob, priority: HashPriority): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const waiting = { job, resolve, reject };
      if (this.busy.size < this.threads) this.start(waiting);
      else if (this.waiting[priority].length < this.maxWaiting) this.waiting[priority].push(waiting);
      else reject(new HashPoolFullError());
    });
  }

  /** Terminates all threads and rejects all running and waiting jobs. */
  async close(): Promise<void> {
    for (const queue of Object.values(this.waiting)) {
      for (const { reject } of queue.splice(0)) reject(new Error('the hash pool was closed'));
    }
    await Promise.all([...this.idle.splice(0), ...this.busy].map((worker) => worker.terminate()));
  }

  private start({ job, resolve, reject }: WaitingJob): void {
    const worker = this.idle.pop() ?? new Worker(WORKER_SOURCE, { eval: true, execArgv: [], env: {} });
    worker.ref();
    this.busy.add(worker);
    const finish = (settle: () => void): void => {
      worker.off('message', succeed).off('error', fail).off('exit', fail);
      this.busy.delete(worker);
      settle();
      const next = this.waiting.known.shift() ?? this.waiting.stranger.shift();
      if (next !== undefined) this.start(next);
    };
    const succeed = (key: Uint8Array): void => {
      // Idle threads must not prevent the process from exiting.
      worker.unref();
      this.idle.push(worker);
      finish(() => resolve(Buffer.from(key)));
    };
    const fail = (cause: unknown): void => finish(() => reject(new Error('the hashing thread terminated', { cause })));
    worker.on('message', succeed).on('error', fail).on('exit', fail);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(job);
  }
}
