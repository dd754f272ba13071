import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { randomIdBytes, type ActorType, type ActorVia } from '#libs/contracts';
import type { ProblemError } from './problem.js';
import type { Span } from './tracing/tracing.js';

/** Who changes something, as the audit log has it. */
export interface Actor {
  type: ActorType;
  id?: string;
  name?: string;
  /** Where the request comes from. */
  address?: string;
  via?: ActorVia;
  request_id?: string;
  /** ID of the operation. */
  operation?: string;
}

/** What every log line of a request says. */
export interface RequestContext {
  requestId: string;
  /** W3C Trace Context. */
  traceparent: string;
  /** Where traces are recorded. */
  span?: Span;
  projectId?: string;
  /** Of requests that change something. */
  actor?: Actor;
  /** Names of the principal and the project that a read is counted for. */
  reader?: { principal: string; project: string };
  /** Adds the operation to the audit log, once. */
  recordDeed?: () => Promise<void>;
  /** Versions of which a change is one, as its caller read them. */
  ifMatch?: string;
  /** What the request was refused with. */
  problem?: ProblemError;
  /** The log counts such requests together: a line for each would cost more than the request. */
  isSummarized?: boolean;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Does something that no request asks for, on somebody's behalf. */
export const actingAs = <T>(actor: Actor, work: () => T): T =>
  storage.run({ requestId: randomUUID(), traceparent: traceparentOf(undefined), actor }, work);

export const requestContext = {
  get: (): RequestContext | undefined => storage.getStore(),
  run: <T>(context: RequestContext, work: () => T): T => storage.run(context, work),
};

/**
 * Adds the operation that is under way to the audit log, where its declaration says `done`. Call it once nothing is to be
 * refused any more and before anything is done, so that nothing is done that can't be recorded. Without this call, it is
 * recorded before the answer is sent.
 */
export const recordDeed = async (): Promise<void> => storage.getStore()?.recordDeed?.();

const SANE_ID = /^[\w.:=+/-]{1,128}$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The client's request id when it is sane. */
export function saneRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && SANE_ID.test(header) ? header : null;
}

/** The client's trace when it is valid. */
export const sentTraceparent = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? header : undefined;

/** The client's trace when it is valid, else a new one. */
export function traceparentOf(header: string | string[] | undefined): string {
  const sent = sentTraceparent(header);
  if (sent !== undefined) return sent;
  const random = randomIdBytes(24).toString('hex');
  return `00-${random.slice(0, 32)}-${random.slice(32)}-01`;
}

/** The id of the span within a traceparent. */
export const spanIdOf = (traceparent: string): string => traceparent.slice(36, 52);

/** The trace id within a traceparent, if it is one. */
export const traceIdOf = (traceparent: string | null | undefined): string | undefined =>
  traceparent != null && TRACEPARENT.test(traceparent) ? traceparent.slice(3, 35) : undefined;
