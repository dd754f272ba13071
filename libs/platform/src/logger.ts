import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { requestContext, traceIdOf } from './request-context.js';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface LoggerOptions {
  service: string;
  level: string;
  /** For people instead of machines. */
  pretty: boolean;
}

/** JSON lines on standard output with the ids of the request at hand; coloured text on a terminal. */
export function createLogger({ service, level, pretty: readable }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    // Whatever object is logged, a credential in it is not.
    redact: {
      paths: ['*.authorization', '*.cookie', '*.token', '*.password', 'authorization', 'token'],
      censor: '[redacted]',
    },
    mixin: () => {
      const context = requestContext.get();
      if (context === undefined) return {};
      const { requestId, projectId, traceparent } = context;
      return { request_id: requestId, trace_id: traceIdOf(traceparent), ...(projectId && { project_id: projectId }) };
    },
  };
  if (!readable) return pino(options);
  return pino(
    options,
    pretty({ ignore: 'service,pid,hostname,request_id,trace_id', translateTime: 'HH:MM:ss', sync: true }),
  );
}

/** Hands Nest's own messages to the logger; its chatter at start-up goes to `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const [stack, context] = rest.length > 1 ? rest : [undefined, rest[0]];
    this.logger.error({ context, stack }, message instanceof Error ? message.message : String(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, String(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, String(message));
  }
}
