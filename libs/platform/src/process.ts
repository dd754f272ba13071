import type { INestApplication } from '@nestjs/common';
import { Health } from './health.js';
import type { Logger } from './logger.js';

/** Milliseconds within which a process ends after it was asked to. */
const SHUTDOWN_DEADLINE = 10_000;

/**
 * Ends the process gracefully on SIGTERM and SIGINT: unready first, then what is under way finishes, then
 * everything closes. A second signal, or ten seconds, ends it at once.
 *
 * @param closed runs after the application has closed.
 */
export function closeOnSignal(
  app: INestApplication,
  logger: Logger,
  closed: () => Promise<void> = async () => {},
): void {
  let closing = false;
  const close = async (signal: string): Promise<void> => {
    if (closing) process.exit(1);
    closing = true;
    logger.info(`${signal}: finishing what is under way`);
    const deadline = setTimeout(() => {
      logger.error('not closed within ten seconds');
      process.exit(1);
    }, SHUTDOWN_DEADLINE);
    deadline.unref();
    try {
      app.get(Health).drain();
      await app.close();
      await closed();
      logger.info('closed');
      process.exitCode = 0;
    } catch (error) {
      logger.error({ err: error }, 'closing failed');
      process.exitCode = 1;
    }
    process.exit();
  };
  process.on('SIGTERM', (signal) => void close(signal));
  process.on('SIGINT', (signal) => void close(signal));
}
