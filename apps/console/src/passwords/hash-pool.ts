import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Parameters of scrypt (RFC 7914). */
export interface ScryptParameters {
  N: number;
  r: number;
  p: number;
  /** Length of the key in bytes. */
  length: number;
}

export interface HashJob extends ScryptParameters {
  password: string;
  salt: string;
}

/** Whose jobs run first. */
export type HashPriority = 'known' | 'stranger';

interface HashPoolOptions {
  threads?: number;
  /** Maximum number of jobs that wait for a thread, for each priority. */
  maxWaiting?: number;
}

/** Thrown for a job that can neither start nor wait. */
export class HashPoolFullError extends Error {
  override name = 'HashPoolFullError';

  constructor() {
    super('too many passwords are being hashed');
  }
}

/** Each thread of a running hash takes 16 MB, so machines with many cores don't use all of them. */
const MAX_THREADS = 4;
/** With one thread, the last one waits for about a second and a half. */
const MAX_WAITING_PER_THREAD = 16;

/**
 * Program of the threads. It's a text, so that bundles and packages need no file for it. `scrypt` would use libuv's thread pool,
 * which the whole process shares for decompression, DNS and files.
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

/** Runs scrypt in threads of its own, a bounded number of jobs at a time. Starts a thread when it's first needed. */
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
   * @throws HashPoolFullError when all threads are busy and as many jobs of this priority wait as may.
   */
  run(job: HashJob, priority: HashPriority): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const waiting = { job, resolve, reject };
      if (this.busy.size < this.threads) this.start(waiting);
      else if (this.waiting[priority].length < this.maxWaiting) this.waiting[priority].push(waiting);
      else reject(new HashPoolFullError());
    });
  }

  /** Ends the threads, and rejects what runs or waits. */
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
      // Waiting for the next job doesn't keep the process alive.
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
