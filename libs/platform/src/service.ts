import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { appCloser, closeOnSignal } from './process.js';
import { errorMessage, framesOf } from './logged-error.js';
import type { Logger } from './logger.js';

/**
 * Runs the startup of a service. Startup errors and uncaught exceptions are explained on stderr and end the process.
 */
export async function runService(start: () => Promise<void>): Promise<void> {
  // Node's default report shows all properties of an error, including the parameters of a statement.
  process.on('uncaughtException', end);
  try {
    await start();
  } catch (error) {
    end(error);
  }
}

function end(error: unknown): never {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exit(1);
}

/** Starts an application and its message consumers, and shuts down on a signal. */
export async function serve(
  app: NestFastifyApplication,
  { PORT: port, HOST: host }: { PORT: number; HOST: string },
  logger: Logger,
): Promise<void> {
  closeOnSignal([appCloser(app)], logger);
  await app.init();
  app.getHttpAdapter().getInstance().refuseOtherMethods();
  await app.startAllMicroservices();
  await app.listen(port, host);
  logger.info({ address: await app.getUrl() }, 'listening');
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return errorMessage(error);
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} at ${address} is taken. Stop what listens there, or set PORT to another one.`;
  if (code === 'EACCES' && port) return `Port ${port} needs privileges. Set PORT to 1024 or more.`;
  const message = errorMessage(error);
  if (error.constructor === Error || error.name !== 'Error') return message;
  return `${message}\n${framesOf(error.stack, error.message)}`;
}
