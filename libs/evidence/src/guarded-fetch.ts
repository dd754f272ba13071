import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import { isPublicAddress, PUBLIC_EGRESS, getUrlRejection, type EgressPolicy } from './egress-policy.js';

export interface FetchRequest {
  maxBytes: number;
  /** Timeout in milliseconds for the entire request, including DNS, connection, TLS and body. */
  timeoutMs: number;
  headers?: Record<string, string>;
  /** Default: GET. */
  method?: 'POST';
  body?: string;
  /** If true, a body larger than `maxBytes` is truncated to `maxBytes` + 1 bytes instead of causing an error. */
  isCutAllowed?: boolean;
  /** If true, redirect responses are returned instead of causing an error. Redirects are never followed. */
  isRedirectAllowed?: boolean;
  /** If true, up to `maxBytes` of the body are read and discarded. Read errors are ignored. */
  isBodyDiscarded?: boolean;
  /** Aborts the request, which then fails with the fault `unreachable`. */
  signal?: AbortSignal;
}

export interface FetchResponse {
  status: number;
  /** First value of each header, by lowercase name. */
  headers: Record<string, string>;
  /** Response body. Empty unless the status is 200 and `isBodyDiscarded` is unset. */
  body: Buffer;
}

/** Fetches a URL under a fixed egress policy. All rejections are {@link GuardedFetchError}s. */
export type GuardedFetch = (url: string, request: FetchRequest) => Promise<FetchResponse>;

export type FetchFault =
  /** The egress policy rejects the URL or one of the host's addresses. */
  | 'address_refused'
  | 'redirected'
  /** A DNS, connection, TLS or HTTP error occurred. */
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  /** The server compressed the body although the request disallowed it. */
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
 * Fetches an untrusted URL with protection against SSRF, redirects and oversized responses.
 *
 * Each call opens a new connection to an address that has been checked, which defeats DNS rebinding. Proxy settings in
 * the environment are ignored, because a proxy would resolve the name itself.
 *
 * @throws {GuardedFetchError} if the policy rejects the URL or the fetch fails.
 */
export async function guardedFetch(
  url: string,
  request: FetchRequest,
  policy: EgressPolicy = PUBLIC_EGRESS,
): Promise<FetchResponse> {
  const target = URL.parse(url);
  const rejection = target === null ? 'it is not a URL' : getUrlRejection(target, policy);
  // Omit the URL from the message, because its path may be a secret and messages are stored and displayed.
  if (target === null || rejection !== null) throw new GuardedFetchError('address_refused', rejection ?? '');
  // Load undici lazily, because not every process fetches anything.
  const undici = await import('undici');
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
  const agent = createAgent(undici, policy, request.timeoutMs, signal);
  try {
    return await sendRequest(undici, target, request, agent, signal);
  } catch (error) {
    if (error instanceof GuardedFetchError) throw error;
    if (deadline.aborted)
      throw new GuardedFetchError('timed_out', `no response within ${request.timeoutMs} ms`, { cause: error });
    throw new GuardedFetchError('unreachable', getErrorMessage(error), { cause: error });
  } finally {
    void agent.destroy().catch(() => undefined);
  }
}

export function createGuardedFetch(policy: EgressPolicy): GuardedFetch {
  return (url, request) => guardedFetch(url, request, policy);
}

async function sendRequest(
  undici: Undici,
  url: URL,
  request: FetchRequest,
  agent: Agent,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const headers = { 'user-agent': USER_AGENT, ...request.headers, 'accept-encoding': 'identity' };
  const { method = 'GET', body: requestBody = null } = request;
  const response = await undici.request(url, { dispatcher: agent, method, body: requestBody, headers, signal });
  const { statusCode: status, body } = response;
  try {
    if (status >= 300 && status < 400 && status !== 304 && !request.isRedirectAllowed) {
      throw new GuardedFetchError('redirected', `status ${status}: redirects are not followed`);
    }
    const reply = { status, headers: takeFirstValues(response.headers), body: Buffer.alloc(0) };
    if (request.isBodyDiscarded) await discard(body as AsyncIterable<Buffer>, request.maxBytes).catch(() => undefined);
    else if (status === 200) return { ...reply, body: await readBody(response, request) };
    return reply;
  } finally {
    // Destroying an unread body emits an error, which would crash the process without a listener.
    body.on('error', () => undefined).destroy();
  }
}

async function readBody({ headers, body }: Dispatcher.ResponseData, request: FetchRequest): Promise<Buffer> {
  const { maxBytes, isCutAllowed = false } = request;
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity')
    throw new GuardedFetchError('encoded', `it has an unexpected content encoding: ${encoding}`);
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
  // The extra byte tells the caller that the body was truncated.
  return Buffer.concat(chunks).subarray(0, maxBytes + 1);
}

async function discard(body: AsyncIterable<Buffer>, maxBytes: number): Promise<void> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) break;
  }
}

function takeFirstValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function createAgent(undici: Undici, policy: EgressPolicy, timeoutMs: number, signal: AbortSignal): Agent {
  const connect = undici.buildConnector({
    lookup: checkedLookup(policy),
    timeout: timeoutMs,
    // Explicitly set to override NODE_TLS_REJECT_UNAUTHORIZED.
    rejectUnauthorized: true,
    ...(policy.ca !== undefined && { secureContext: getSecureContext(policy.ca) }),
  });
  return new undici.Agent({
    // Setting `pipelining` to 0 also disables keep-alive.
    pipelining: 0,
    connections: 1,
    connect(options, callback) {
      // undici ignores a request's signal until the socket is connected. Its types omit the return value of `connect`.
      const socket = connect(options, callback) as unknown as TLSSocket;
      const destroySocket = (): void => void socket.destroy(signal.reason);
      signal.addEventListener('abort', destroySocket, { once: true });
    },
  });
}

/** Returns a lookup function that only yields checked addresses, so sockets can't connect to any other address. */
function checkedLookup(policy: EgressPolicy): LookupFunction {
  return (hostName, { all }, callback) => {
    const reply = ([first, ...rest]: [LookupAddress, ...LookupAddress[]]): void =>
      all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family);
    checkedAddresses(hostName, policy).then(reply, (error: Error) => callback(error, ''));
  };
}

/**
 * Resolves a host name and rejects it if any of its addresses is private. The error is the same for hosts that don't
 * exist. Otherwise, a caller could discover host names in the operator's network.
 */
async function checkedAddresses(hostName: string, policy: EgressPolicy): Promise<[LookupAddress, ...LookupAddress[]]> {
  const lookupPromise = policy.lookup?.(hostName) ?? systemLookup(hostName, { all: true });
  if (policy.allowPrivateAddresses) {
    const [first, ...rest] = await lookupPromise;
    if (first === undefined) throw new GuardedFetchError('unreachable', `${hostName} has no address`);
    return [first, ...rest];
  }
  const addresses = await lookupPromise.catch((error: unknown): LookupAddress[] => {
    if (NO_ADDRESS_CODE.test(getErrorCode(error))) return [];
    throw error;
  });
  const [first, ...rest] = addresses;
  if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new GuardedFetchError('address_refused', `${hostName} has no public address`);
  }
  return [first, ...rest];
}
const secureContexts = new Map<string, SecureContext>();

function getSecureContext(ca: string): SecureContext {
  const context = secureContexts.get(ca) ?? createSecureContext({ ca: [...getCACertificates('default'), ca] });
  secureContexts.set(ca, context);
  return context;
}

function getErrorMessage(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** Matches DNS and getaddrinfo error codes for names that don't exist or have no address. */
const NO_ADDRESS_CODE = /^(?:ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/;
/**
 * Matches error codes from OpenSSL (X509_V_ERR_*) and Node.js's TLS checks, and those for servers that don't support
 * TLS.
 */
const TLS_ERROR_CODE =
  /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_|HOSTNAME_MISMATCH)/;

/**
 * Returns the code of a system error or of the first error in an AggregateError. Returns an empty string if there is no
 * code.
 */
export function getErrorCode(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return error instanceof AggregateError ? getErrorCode(error.errors[0]) : '';
}

export const isTlsFault = ({ cause }: GuardedFetchError): boolean => TLS_ERROR_CODE.test(getErrorCode(cause));

/**
 * Returns the failure reason in a form that reveals nothing about private networks. The text is the same whether the
 * host doesn't exist, has a private address or accepts no connections. Other faults, such as TLS errors, include their
 * details because they come from hosts with public addresses.
 */
export function getSafeReason(error: GuardedFetchError): string {
  const { fault, message } = error;
  if (fault === 'address_refused' || (fault === 'unreachable' && !isTlsFault(error))) {
    return 'the host has no public address, or does not accept connections';
  }
  return message;
}
