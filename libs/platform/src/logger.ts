import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { errorMessage, extractFrames, toLoggable } from './logged-error.js';
import { requestContext, getSpanId, getTraceId } from './request-context.js';
import { batchSpans, type Span } from './tracing/tracing.js';

export type { Logger } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

interface LoggerOptions {
  service: string;
  level: string;
  pretty: boolean;
  /** Default: stdout. */
  destination?: DestinationStream;
}

/** Creates a logger that writes JSON lines or colored text. Entries contain the current request's IDs. */
export function createLogger({ service, level, pretty: isPretty, destination }: LoggerOptions): Logger {
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
      // Pino receives only error descriptions, so its serializer can't add other properties.
      logMethod(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
        const [first, ...rest] = args.map((argument) => toLoggable(argument)) as Parameters<pino.LogFn>;
        const isBareError = (args[0] as unknown) instanceof Error;
        if (!isBareError) method.apply(this, [first, ...rest]);
        else method.apply(this, [{ err: first }, ...(rest.length > 0 ? rest : [errorMessage(args[0])])] as typeof args);
      },
    },
    mixin: () => {
      const spans = batchSpans.getStore();
      if (spans !== undefined) return getBatchTraceIds(spans);
      const context = requestContext.get();
      if (context === undefined) return {};
      const { requestId, projectId, traceparent, span } = context;
      return {
        request_id: requestId,
        trace_id: getTraceId(traceparent),
        ...(span && { span_id: getSpanId(span.traceparent) }),
        ...(projectId && { project_id: projectId }),
      };
    },
  };
  if (!isPretty) return pino(options, destination ?? pino.destination(1));
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

/** Returns the trace IDs of a batch, which can belong to any number of traces. */
function getBatchTraceIds(spans: readonly Span[]) {
  const [first, ...others] = spans.map(({ traceparent }) => traceparent);
  if (first === undefined) return {};
  const traceIds = { trace_id: getTraceId(first), span_id: getSpanId(first) };
  return others.length === 0 ? traceIds : { ...traceIds, other_trace_ids: others.map(getTraceId) };
}

/** Forwards Nest's messages to the logger. Startup messages are logged at `debug`. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, toMessage(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    const [stack, context] = rest.length > 1 ? rest : [undefined, rest[0]];
    const err = message instanceof Error ? message : undefined;
    const frames = err === undefined && typeof stack === 'string' ? extractFrames(stack) : undefined;
    this.logger.error({ context, err, stack: frames }, toMessage(message));
  }

  warn(message: unknown, context?: unknown): void {
    this.logger.warn({ context }, toMessage(message));
  }

  debug(message: unknown, context?: unknown): void {
    this.logger.debug({ context }, toMessage(message));
  }

  verbose(message: unknown, context?: unknown): void {
    this.logger.trace({ context }, toMessage(message));
  }
}

const toMessage = (message: unknown): string => (message instanceof Error ? errorMessage(message) : String(message));
