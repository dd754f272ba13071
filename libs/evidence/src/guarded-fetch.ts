import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import { isPublicAddress, PUBLIC_EGRESS, urlRefusal, type EgressPolicy } from './egress-policy.js';

export interface FetchRequest {
  /** Bytes of the body at most, as they come. */
  maxBytes: number;
  /** Milliseconds for all of it: DNS, connection, TLS and the body. */
  timeoutMs: number;
  headers?: Record<string, string>;
  /** GET unless given. */
  method?: 'POST';
  /** What is sent. */
  body?: string;
  /** Takes the first `maxBytes` and one more of what is larger, instead of failing. */
  isCutAllowed?: boolean;
  /** Answers a redirect with its status and headers, instead of failing. It is not followed either way. */
  isRedirectAllowed?: boolean;
  /** Reads the body, up to `maxBytes` of it, and keeps nothing: the answer is its status, even if the body never ends. */
  isBodyDiscarded?: boolean;
  /** Ends it early, as if the time were over. */
  signal?: AbortSignal;
}

export interface Fetched {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Empty unless the status is 200 and the body is wanted. */
  body: Buffer;
}

/** @throws GuardedFetchError and nothing else. */
export type GuardedFetch = (url: string, request: FetchRequest) => Promise<Fetched>;

/** Why there is no answer. */
export type FetchFault =
  /** The policy doesn't admit its scheme, port, host or one of its addresses. */
  | 'address_refused'
  | 'redirected'
  /** DNS, connection, TLS or HTTP failed. */
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  /** Compressed, though asked not to be: it is not unpacked. */
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
 * Fetches a document from a host that somebody else named, without being led to a private network, elsewhere by a
 * redirect, or into holding more than was asked for. Each call has its own connection, to an address that was checked:
 * a name that leads elsewhere the next time it is asked (DNS rebinding) leads nowhere. Proxies of the environment are
 * not used, since they would look up the name on their own.
 */
export async function guardedFetch(
  url: string,
  request: FetchRequest,
  policy: EgressPolicy = PUBLIC_EGRESS,
): Promise<Fetched> {
  const target = URL.parse(url);
  const refusal = target === null ? 'it is not a URL' : urlRefusal(target, policy);
  // Without the URL: its path may be a secret, and what is said of a failure is stored and shown.
  if (target === null || refusal !== null) throw new GuardedFetchError('address_refused', refusal ?? '');
  // Loaded when something is fetched, which not every process does.
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

/** {@link guardedFetch} under one policy. */
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
    // The status was answered, whatever becomes of the body.
    if (request.isBodyDiscarded) await discard(body as AsyncIterable<Buffer>, request.maxBytes).catch(() => undefined);
    else if (status === 200) return { ...answer, body: await bodyOf(response, request) };
    return answer;
  } finally {
    // Whatever is left of it is not wanted; destroying it makes an error that nobody else listens for.
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
  // One byte more than was asked for tells that there were more.
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
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    ...(policy.ca !== undefined && { secureContext: trusting(policy.ca) }),
  });
  return new undici.Agent({
    // Without pipelining there is no keep-alive either.
    pipelining: 0,
    connections: 1,
    connect(options, callback) {
      // A request's own signal is not looked at before there is a connection. The types leave out that it is returned.
      const socket = connect(options, callback) as unknown as TLSSocket;
      const end = (): void => void socket.destroy(signal.reason);
      signal.addEventListener('abort', end, { once: true });
    },
  });
}

/** Answers with what was checked, so that the connection goes nowhere else. */
function checkedLookup(policy: EgressPolicy): LookupFunction {
  return (hostName, { all }, callback) => {
    const answer = ([first, ...rest]: [LookupAddress, ...LookupAddress[]]): void =>
      all ? callback(null, [first, ...rest]) : callback(null, first.address, first.family);
    checkedAddresses(hostName, policy).then(answer, (error: Error) => callback(error, ''));
  };
}

/**
 * One private address spoils all of them. The error is the same for a name with a private address and one without any: the
 * person who entered the name would learn which names exist in the operator's network.
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

/** The text of an error; of the several of one connection, that of the first. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** What getaddrinfo says of names that don't exist, or have no address. */
const NO_ADDRESS = /^(?:ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/;
/** Codes of OpenSSL's X509_V_ERR_*, of Node's checks, and of servers that do not speak TLS. */
const TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_|HOSTNAME_MISMATCH)/;

/** Returns the code of a system error, or of the first of several; empty if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (typeof code === 'string') return code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

/** Returns whether no secure connection was made. */
export const isTlsFault = ({ cause }: GuardedFetchError): boolean => TLS.test(codeOf(cause));

/**
 * Returns why there was no response, in words that are the same for a host that doesn't exist, one with a private address and
 * one that accepts no connection. Only errors of TLS and of time have details: these hosts have public addresses.
 */
export function unreachedReason(error: GuardedFetchError): string {
  const { fault, message } = error;
  if (fault === 'address_refused' || (fault === 'unreachable' && !isTlsFault(error))) {
    return 'the host has no public address, or does not accept connections';
  }
  return message;
}
