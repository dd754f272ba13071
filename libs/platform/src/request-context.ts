import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { randomIdBytes, type ActorType, type ActorVia } from '#libs/contracts';
import type { ProblemError } from './problem.js';
import type { Span } from './tracing/tracing.js';

/** Author of a change, as recorded in the audit log. */
export interface Actor {
  type: ActorType;
  id?: string;
  name?: string;
  address?: string;
  via?: ActorVia;
  request_id?: string;
  operation?: string;
}

/** Context of a request, for logs, traces and the audit log. */
export interface RequestContext {
  requestId: string;
  /** W3C Trace Context. */
  traceparent: string;
  /** Set if the request is traced. */
  span?: Span;
  projectId?: string;
  /** Set for requests that change something. */
  actor?: Actor;
  /** Principal and project whose read limits apply. */
  reader?: { principal: string; project: string };
  /** Records the operation in the audit log, at most once. */
  recordDeed?: () => Promise<void>;
  /** `If-Match` header of a change. */
  ifMatch?: string;
  /** Problem sent as the response. */
  problem?: ProblemError;
  /** The log only counts it in a summary. A separate line would cost more than the request. */
  isSummarized?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work outside of any request, on behalf of an actor. */
export const actingAs = <T>(actor: Actor, work: () => T): T =>
  storage.run({ requestId: randomUUID(), traceparent: traceparentOf(undefined), actor }, work);

export const requestContext = {
  get: (): RequestContext | undefined => storage.getStore(),
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
};

/**
 * Records the current operation in the audit log if its declaration contains an `AuditedCall`. Call it after all checks
 * and before any change, so nothing happens unrecorded. By default, the operation is recorded before the response is
 * sent.
 */
export const recordDeed = async (): Promise<void> => storage.getStore()?.recordDeed?.();

const SANE_ID = /^[\w.:=+/-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the client's request ID, or null if it isn't safe to log. */
export function saneRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && SANE_ID.test(header) ? header : null;
}

/** Returns the client's traceparent, or undefined if it isn't valid. */
export const sentTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

/** Returns the client's traceparent if it is valid, else a new one. */
export function traceparentOf(header: string | string[] | undefined): string {
  const sent = sentTraceparent(header);
  if (sent !== undefined) return sent;
  const random = randomIdBytes(24).toString('hex');
  return `00-${random.slice(0, 32)}-${random.slice(32)}-01`;
}

export const spanIdOf = (traceparent: string): string => traceparent.slice(36, 52);

/** Returns the trace ID of a traceparent, or undefined if the traceparent isn't valid. */
export const traceIdOf = (traceparent: string | null | undefined): string | undefined =>
  traceparent != null && TRACEPARENT.test(traceparent) ? traceparent.slice(3, 35) : undefined;
