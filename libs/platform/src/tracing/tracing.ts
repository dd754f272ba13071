import { AsyncLocalStorage } from 'node:async_hooks';

/** As OpenTelemetry names them. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface SpanOptions {
  kind?: SpanKind;
  /** W3C Trace Context of the span above; without one a trace begins, and the sampler decides about it. */
  parent?: string | undefined;
  /** Of spans of other traces. */
  links?: readonly string[];
  attributes?: SpanAttributes;
  /** Milliseconds since the epoch; now unless given. */
  startMs?: number;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that has begun. */
export interface Span {
  /** For whatever follows it, here and elsewhere. */
  readonly traceparent: string;
  /** @param error marks it as failed. */
  end(options?: { attributes?: SpanAttributes; error?: unknown; endMs?: number }): void;
}

/** Makes spans, and sends those that are sampled. */
interface Tracer {
  start(name: string, options: SpanOptions): Span;
}

/** Null unless tracing is configured: then nothing of it is loaded, and nobody does anything for it. */
let tracer: Tracer | null = null;

/** Returns what makes spans; null when nobody wants any. */
export const currentTracer = (): Tracer | null => tracer;

export function setTracer(wanted: Tracer | null): void {
  tracer = wanted;
}

/** The spans of the batch that is handled: one for each of its sampled traces. */
export const batchSpans = new AsyncLocalStorage<readonly Span[]>();

/** Whether the trace of a traceparent is recorded (W3C Trace Context, section 3.2.2.5). */
export const isSampled = (traceparent: string): boolean => (parseInt(traceparent.slice(-2), 16) & 1) === 1;

/** Now, in milliseconds since the epoch, finer than `Date.now()`. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();
