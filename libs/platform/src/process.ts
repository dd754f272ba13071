import type { Server } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { stopListening } from './drain.js';
import { Health } from './health.js';
import type { Logger } from './logger.js';

/** Milliseconds within which a process ends after it was asked to. */
const SHUTDOWN_TIMEOUT_MS = 10_000;
/** Signals that come closer together are one: a terminal and a parent process may both deliver it. */
const SAME_SIGNAL_MS = 500;

/** What is to be closed at the end, in the order in which it was opened; may grow while the process starts. */
export type Closers = (() => Promise<void>)[];

/** Reports the process as not ready and refuses connections, then finishes the requests in progress. */
export const appCloser = (app: INestApplication) => async (): Promise<void> => {
  app.get(Health).drain();
  await stopListening(app.getHttpServer() as Server);
  await app.close();
};

/** Closes what was opened, the last first. */
export async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

/** Ends the process gracefully on SIGTERM and SIGINT. A second signal, or ten seconds, ends it at once. */
export function closeOnSignal(closers: Closers, logger: Logger): void {
  let closingSince: number | undefined;
  const close = async (signal: string): Promise<void> => {
    if (closingSince !== undefined) {
      if (Date.now() - closingSince > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    closingSince = Date.now();
    logger.info(`${signal}: finishing what is under way`);
    const deadline = setTimeout(() => {
      logger.error('not closed within ten seconds');
      process.exit(1);
    }, SHUTDOWN_TIMEOUT_MS);
    deadline.unref();
    try {
      await closeAll(closers);
      logger.info('closed');
      process.exit(0);
    } catch (error) {
      logger.error({ err: error }, 'closing failed');
      process.exit(1);
    }
  };
  process.on('SIGTERM', (signal) => void close(signal));
  process.on('SIGINT', (signal) => void close(signal));
}
