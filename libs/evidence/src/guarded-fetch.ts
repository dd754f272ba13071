import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import { isPublicAddress, PUBLIC_EGRESS, urlRefusal, type EgressPolicy } from './egress-policy.js';

export interface FetchRequest {
  maxBytes: number;
  /** Timeout in milliseconds for everything: DNS, connection, TLS and body. */
  timeoutMs: number;
  headers?: Record<string, string>;
  /** Default: GET. */
  method?: 'POST';
  body?: string;
  /** Returns the first `maxBytes` + 1 bytes of a larger body instead of failing. */
  isCutAllowed?: boolean;
  /** Returns redirect responses instead of failing. Redirects are never followed. */
  isRedirectAllowed?: boolean;
  /** Discards the body after reading up to `maxBytes` of it. Errors while reading don't fail the request. */
  isBodyDiscarded?: boolean;
  /** Aborts the request with the fault `unreachable`. */
  signal?: AbortSignal;
}

export interface Fetched {
  status: number;
  /** Headers by lowercase name; only the first value of each. */
  headers: Record<string, string>;
  /** Empty unless the status is 200 and `isBodyDiscarded` isn't set. */
  body: Buffer;
}

/** @throws GuardedFetchError, and nothing else. */
export type GuardedFetch = (url: string, request: FetchRequest) => Promise<Fetched>;

export type FetchFault =
  /** The policy rejects the URL or one of the host's addresses. */
  | 'address_refused'
  | 'redirected'
  /** DNS, connection, TLS or HTTP failed. */
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  /** The server compressed the body although the request asked it not to. */
  | 'encoded';

export class GuardedFetchError extends Error {
  override name = 'GuardedFetchError';

  constructor(
    readonly fault: FetchFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

type Undici = typeof import('undici');

const USER_AGENT = 'AgentTraffic/1.0 (fetches key directories, address lists and agent feeds; sends alerts)';

/**
 * Fetches a URL that someone else supplied, protected against SSRF, redirects and oversized responses.
 *
 * Each call opens a new connection to an address that was checked, so DNS rebinding has no effect. Proxy settings in
 * the environment are ignored, because a proxy would resolve the name itself.
 */
export async function guardedFetch(
  url: string,
  request: FetchRequest,
  policy: EgressPolicy = PUBLIC_EGRESS,
): Promise<Fetched> {
  const target = URL.parse(url);
  const refusal = target === null ? 'it is not a URL' : urlRefusal(target, policy);
  // The message omits the URL: its path may be a secret, and messages are stored and displayed.
  if (target === null || refusal !== null) throw new GuardedFetchError('address_refused', refusal ?? '');
  // Loaded lazily: not every process fetches something.
  const undici = await import('undici');
  const late = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  const agent = agentFor(undici, policy, request.timeoutMs, signal);
  try {
    return await answerOf(undici, target, request, agent, signal);
  } catch (error) {
    if (error instanceof GuardedFetchError) throw error;
    if (late.aborted)
      throw new GuardedFetchError('timed_out', `no answer in ${request.timeoutMs} ms`, { cause: error });
    throw new GuardedFetchError('unreachable', reasonOf(error), { cause: error });
  } finally {
    void agent.destroy().catch(() => undefined);
  }
}

export function fetchUnder(policy: EgressPolicy): GuardedFetch {
  return (url, request) => guardedFetch(url, request, policy);
}

async function answerOf(
  undici: Undici,
  url: URL,
  request: FetchRequest,
  agent: Agent,
  signal: AbortSignal,
): Promise<Fetched> {
  const headers = { 'user-agent': USER_AGENT, ...request.headers, 'accept-encoding': 'identity' };
  const { method = 'GET', body: sent = null } = request;
  const response = await undici.request(url, { dispatcher: agent, method, body: sent, headers, signal });
  const { statusCode: status, body } = response;
  try {
    if (status >= 300 && status < 400 && status !== 304 && !request.isRedirectAllowed) {
      throw new GuardedFetchError('redirected', `status ${status}: redirects are not followed`);
    }
    const answer = { status, headers: firstValues(response.headers), body: Buffer.alloc(0) };
    if (request.isBodyDiscarded) await discard(body as AsyncIterable<Buffer>, request.maxBytes).catch(() => undefined);
    else if (status === 200) return { ...answer, body: await bodyOf(response, request) };
    return answer;
  } finally {
    // Destroying an unread body emits an error, which would crash the process without a listener.
    body.on('error', () => undefined).destroy();
  }
}

async function bodyOf({ headers, body }: Dispatcher.ResponseData, request: FetchRequest): Promise<Buffer> {
  const { maxBytes, isCutAllowed = false } = request;
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity') throw new GuardedFetchError('encoded', `its content is encoded: ${encoding}`);
  const tooLarge = () => new GuardedFetchError('too_large', `it is larger than ${maxBytes} bytes`);
  if (!isCutAllowed && Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes && !isCutAllowed) throw tooLarge();
    chunks.push(chunk);
    if (size > maxBytes) break;
  }
  // The extra byte shows the caller that the body was cut.
  return Buffer.concat(chunks).subarray(0, maxBytes + 1);
}

async function discard(body: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) break;
  }
}

function firstValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function agentFor(undici: Undici, policy: EgressPolicy, timeoutMs: number, signal: AbortSignal): Agent {
  const connect = undici.buildConnector({
    lookup: checkedLookup(policy),
    timeout: timeoutMs,
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(policy.ca !== undefined && { secureContext: trusting(policy.ca) }),
  });
  return new undici.Agent({
    // Disables keep-alive, too.
    pipelining: 0,
    connections: 1,
    connect(options, callback) {
      // undici ignores a request's signal until it is connected. Its types omit the return value of `connect`.
      const socket = connect(options, callback) as unknown as TLSSocket;
      const end = (): void => void socket.destroy(signal.reason);
      signal.addEventListener('abort', end, { once: true });
    },
  });
}

/** Returns a lookup function that only yields checked addresses, so the connection can't go anywhere else. */
function checkedLookup(policy: EgressPolicy): LookupFunction {
  return (hostName, { all }, callback) => {
    const answer = ([first, ...rest]: [LookupAddress, ...LookupAddress[]]): void =>
      all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family);
    checkedAddresses(hostName, policy).then(answer, (error: Error) => callback(error, ''));
  };
}

/**
 * Rejects the host if any of its addresses is private. The error is the same for a host that doesn't exist: otherwise,
 * the person who entered the name could find out which names exist in the operator's network.
 */
async function checkedAddresses(hostName: string, policy: EgressPolicy): Promise<[LookupAddress, ...LookupAddress[]]> {
  const looked = policy.lookup?.(hostName) ?? systemLookup(hostName, { all: true });
  if (policy.allowPrivateAddresses) {
    const [first, ...rest] = await looked;
    if (first === undefined) throw new GuardedFetchError('unreachable', `${hostName} has no address`);
    return [first, ...rest];
  }
  const addresses = await looked.catch((error: unknown): LookupAddress[] => {
    if (NO_ADDRESS.test(codeOf(error))) return [];
    throw error;
  });
  const [first, ...rest] = addresses;
  if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new GuardedFetchError('address_refused', `${hostName} has no public address`);
  }
  return [first, ...rest];
}
const contexts = new Map<string, SecureContext>();

function trusting(ca: string): SecureContext {
  const context = contexts.get(ca) ?? createSecureContext({ ca: [...getCACertificates('default'), ca] });
  contexts.set(ca, context);
  return context;
}

function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** getaddrinfo's error codes for names that don't exist or have no address. */
const NO_ADDRESS = /^(?:ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/;
/** Error codes of OpenSSL (X509_V_ERR_*), of Node's TLS checks, and for servers that don't speak TLS. */
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_|HOSTNAME_MISMATCH)/;

/** Returns the code of a system error, or of the first error in an AggregateError. Empty: no code. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

export const isTlsFault = ({ cause }: GuardedFetchError): boolean => TLS.test(codeOf(cause));

/**
 * Returns why the fetch failed. The text is the same for a host that doesn't exist, has a private address or accepts no
 * connections, so it reveals nothing about a private network. All other faults, such as TLS errors, keep their
 * details: they come from hosts with public addresses.
 */
export function unreachedReason(error: GuardedFetchError): string {
  const { fault, message } = error;
  if (fault === 'address_refused' || (fault === 'unreachable' && !isTlsFault(error))) {
    return 'the host has no public address, or does not accept connections';
  }
  return message;
}
