import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { randomIdBytes, type ActorType, type ActorVia } from '#libs/contracts';
import type { ProblemError } from './problem.js';
import type { Span } from './tracing/tracing.js';

/** Actor of a change, as recorded in the audit log. */
export interface Actor {
  type: ActorType;
  id?: string;
  name?: string;
  address?: string;
  via?: ActorVia;
  request_id?: string;
  operation?: string;
}

/** Request context for logs, traces and the audit log. */
export interface RequestContext {
  requestId: string;
  /** W3C Trace Context header value. */
  traceparent: string;
  /** Span of the request, if it is traced. */
  span?: Span;
  projectId?: string;
  /** Actor to record for changes made by this request. */
  actor?: Actor;
  /** Principal and project whose read limits apply. */
  reader?: { principal: string; project: string };
  /** Records the operation in the audit log, at most once. */
  recordAuditEntry?: () => Promise<void>;
  /** `If-Match` header of a change. */
  ifMatch?: string;
  problem?: ProblemError;
  /**
   * True if the request is only counted in a log summary. A separate log line would cost more than the request itself.
   */
  isSummarized?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work outside of any request, on behalf of an actor. */
export const runAsActor = <T>(actor: Actor, work: () => T): T =>
  storage.run({ requestId: randomUUID(), traceparent: getOrCreateTraceparent(undefined), actor }, work);

export const requestContext = {
  get: (): RequestContext | undefined => storage.getStore(),
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
};

/**
 * Records the current operation in the audit log if its declaration contains an `AuditedCall`. Call this after all
 * checks and before any change, so no change goes unrecorded. Otherwise, the operation is recorded before the response
 * is sent.
 */
export const recordAuditEntry = async (): Promise<void> => storage.getStore()?.recordAuditEntry?.();

const SAFE_REQUEST_ID = /^[\w.:=+/-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the client's request ID, or null if it isn't safe to log. */
export function sanitizeRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && SAFE_REQUEST_ID.test(header) ? header : null;
}

/** Returns the client's traceparent, or undefined if it is invalid. */
export const parseTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

/** Returns the client's traceparent if it is valid, or a new one otherwise. */
export function getOrCreateTraceparent(header: string | string[] | undefined): string {
  const received = parseTraceparent(header);
  if (received !== undefined) return received;
  const random = randomIdBytes(24).toString('hex');
  return `00-${random.slice(0, 32)}-${random.slice(32)}-01`;
}

export const getSpanId = (traceparent: string): string => traceparent.slice(36, 52);

/** Returns the trace ID in a traceparent, or undefined if the traceparent is invalid. */
export const getTraceId = (traceparent: string | null | undefined): string | undefined =>
  traceparent != null && TRACEPARENT.test(traceparent) ? traceparent.slice(3, 35) : undefined;
