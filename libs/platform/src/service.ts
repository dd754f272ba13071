import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createAppCloser, closeOnSignal } from './process.js';
import { errorMessage, extractFrames } from './logged-error.js';
import type { Logger } from './logger.js';

/** Starts a service. Startup errors and uncaught exceptions are printed to stderr and end the process. */
export async function runService(start: () => Promise<void>): Promise<void> {
  // Node.js's default report prints all properties of an error, including statement parameters.
  process.on('uncaughtException', exitWithError);
  try {
    await start();
  } catch (error) {
    exitWithError(error);
  }
}

function exitWithError(error: unknown): never {
  process.stderr.write(`\n${formatError(error)}\n\n`);
  process.exit(1);
}

/** Starts an application and its message consumers. They shut down on a signal. */
export async function serve(
  app: NestFastifyApplication,
  { PORT: port, HOST: host }: { PORT: number; HOST: string },
  logger: Logger,
): Promise<void> {
  closeOnSignal([createAppCloser(app)], logger);
  await app.init();
  app.getHttpAdapter().getInstance().rejectOtherMethods();
  await app.startAllMicroservices();
  await app.listen(port, host);
  logger.info({ address: await app.getUrl() }, 'listening');
}

function formatError(error: unknown): string {
  if (!(error instanceof Error)) return errorMessage(error);
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is already in use. Stop the process that uses it, or set PORT to another port.`;
  if (code === 'EACCES' && port) return `Port ${port} requires elevated privileges. Set PORT to 1024 or higher.`;
  const message = errorMessage(error);
  if (error.constructor === Error || error.name !== 'Error') return message;
  return `${message}\n${extractFrames(error.stack, error.message)}`;
}
