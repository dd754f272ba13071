import type { Server } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { stopListening } from './drain.js';
import { Health } from './health.js';
import type { Logger } from './logger.js';

/** Maximum duration of a shutdown in milliseconds. */
const SHUTDOWN_TIMEOUT_MS = 10_000;
/**
 * Repeated signals within this many milliseconds count as one, because a terminal and a parent process may both send
 * the same signal.
 */
const DUPLICATE_SIGNAL_MS = 500;

/** Cleanup functions in the order in which their resources were opened. More can be added during startup. */
export type Closers = (() => Promise<void>)[];

/**
 * Returns a function that reports the process as not ready, rejects new connections and finishes in-flight requests.
 */
export const createAppCloser = (app: INestApplication) => async (): Promise<void> => {
  app.get(Health).startDraining();
  await stopListening(app.getHttpServer() as Server);
  await app.close();
};

export async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

/** Shuts down gracefully on SIGTERM or SIGINT. Exits immediately after 10 seconds or on a second signal. */
export function closeOnSignal(closers: Closers, logger: Logger): void {
  let closingSince: number | undefined;
  const close = async (signal: string): Promise<void> => {
    if (closingSince !== undefined) {
      if (Date.now() - closingSince > DUPLICATE_SIGNAL_MS) process.exit(1);
      return;
    }
    closingSince = Date.now();
    logger.info(`received ${signal}, shutting down`);
    const deadline = setTimeout(() => {
      logger.error('shutdown timed out after 10 seconds');
      process.exit(1);
    }, SHUTDOWN_TIMEOUT_MS);
    deadline.unref();
    try {
      await closeAll(closers);
      logger.info('closed');
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', (signal) => void close(signal));
  process.on('SIGINT', (signal) => void close(signal));
}
