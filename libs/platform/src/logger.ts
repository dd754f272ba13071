import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { errorMessage, framesOf, loggable } from './logged-error.js';
import { requestContext, spanIdOf, traceIdOf } from './request-context.js';
import { batchSpans, type Span } from './tracing/tracing.js';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

interface LoggerOptions {
  service: string;
  level: string;
  /** Human-readable format. */
  pretty: boolean;
  /** Default: standard output. */
  destination?: DestinationStream;
}

/** Creates a logger that writes JSON lines with the IDs of the current request, or colored text for people. */
export function createLogger({ service, level, pretty: readable, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: ['*.authorization', '*.cookie', '*.token', '*.password', 'authorization', 'token'],
      censor: '[redacted]',
    },
    hooks: {
      // Pino only sees descriptions of errors, so its serializer can't add other properties.
      logMethod(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
        const [first, ...rest] = args.map((argument) => loggable(argument)) as Parameters<pino.LogFn>;
        const isBareError = (args[0] as unknown) instanceof Error;
        if (!isBareError) method.apply(this, [first, ...rest]);
        else method.apply(this, [{ err: first }, ...(rest.length > 0 ? rest : [errorMessage(args[0])])] as typeof args);
      },
    },
    mixin: () => {
      const spans = batchSpans.getStore();
      if (spans !== undefined) return ofBatch(spans);
      const context = requestContext.get();
      if (context === undefined) return {};
      const { requestId, projectId, traceparent, span } = context;
      return {
        request_id: requestId,
        trace_id: traceIdOf(traceparent),
        ...(span && { span_id: spanIdOf(span.traceparent) }),
        ...(projectId && { project_id: projectId }),
      };
    },
  };
  if (!readable) return pino(options, destination ?? pino.destination(1));
  return pino(
    options,
    pretty({
      ignore: 'service,pid,hostname,request_id,trace_id',
      translateTime: 'HH:MM:ss',
      sync: true,
      ...(destination && { destination }),
    }),
  );
}

/** Returns the trace IDs of a batch, which can belong to several traces or to none. */
function ofBatch(spans: readonly Span[]) {
  const [first, ...others] = spans.map(({ traceparent }) => traceparent);
  if (first === undefined) return {};
  const ids = { trace_id: traceIdOf(first), span_id: spanIdOf(first) };
  return others.length === 0 ? ids : { ...ids, other_trace_ids: others.map(traceIdOf) };
}

/** Forwards Nest's messages to the logger. Startup messages are logged at `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, textOf(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const [stack, context] = rest.length > 1 ? rest : [undefined, rest[0]];
    const err = message instanceof Error ? message : undefined;
    const frames = err === undefined && typeof stack === 'string' ? framesOf(stack) : undefined;
    this.logger.error({ context, err, stack: frames }, textOf(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, textOf(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, textOf(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, textOf(message));
  }
}

const textOf = (message: unknown): string => (message instanceof Error ? errorMessage(message) : String(message));
