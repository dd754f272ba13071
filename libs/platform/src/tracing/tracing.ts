import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind?: SpanKind;
  /** W3C traceparent of the parent span. Without a parent, the sampler decides whether to record the new trace. */
  parent?: string | undefined;
  /** Traceparents of spans in other traces. */
  links?: readonly string[];
  attributes?: SpanAttributes;
  /** Milliseconds since the epoch. Default: now. */
  startMs?: number;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface Span {
  /** W3C traceparent for child spans in this process or another one. */
  readonly traceparent: string;
  /** @param error If set, marks the span as failed. */
  end(options?: { attributes?: SpanAttributes; error?: unknown; endMs?: number }): void;
}

interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

/** Null if tracing isn't configured, in which case no tracing code is loaded. */
let tracer: Tracer | null = null;

/** Returns null if tracing isn't configured. */
export const currentTracer = (): Tracer | null => tracer;

export function setTracer(newTracer: Tracer | null): void {
  tracer = newTracer;
}

/** Spans of the current batch, one for each sampled trace. */
export const batchSpans = new AsyncLocalStorage<readonly Span[]>();

/** Returns true if the trace is recorded (W3C Trace Context, section 3.2.2.5). */
export const isSampled = (traceparent: string): boolean => (parseInt(traceparent.slice(-2), 16) & 1) === 1;

/** Returns the milliseconds since the epoch, with a higher resolution than `Date.now()`. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();
