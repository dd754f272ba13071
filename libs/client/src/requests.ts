import type { HeaderMap, IdentificationRequest } from './types.js';

/** Properties that the adapters read from a Node.js, Express or NestJS request. */
export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** Set by Express to the original URL, before routers strip their mount path. */
  originalUrl?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  socket?: { remoteAddress?: string | undefined } | undefined;
  /** Request body, if a framework has already read or parsed it. */
  body?: unknown;
}

/** A framework's request object, or a plain object with its headers. Fastify exposes the Node.js request as `raw`. */
export type AnyRequest =
  Request | NodeRequest | { raw: NodeRequest } | (IdentificationRequest & { request_path?: string });

/** A request that uses the API's field names. */
export interface PlainRequest extends IdentificationRequest {
  request_path: string;
  request_method: string;
}

/** @param clientAddress Peer address of a web request's connection. */
export function toPlainRequest(request: AnyRequest, clientAddress?: string): PlainRequest {
  if ('request_headers' in request) return { request_path: '/', request_method: 'GET', ...request };
  if ('raw' in request) return fromNodeRequest(request.raw);
  return isWebRequest(request) ? fromWebRequest(request, clientAddress) : fromNodeRequest(request);
}

export const fromNodeRequest = (request: NodeRequest): PlainRequest => ({
  request_path: request.originalUrl ?? request.url ?? '/',
  request_method: request.method ?? 'GET',
  request_headers: request.headers,
  // Read early, because the address is undefined once the connection is closed.
  client_address: parseAddress(request.socket?.remoteAddress),
});

export function fromWebRequest(request: Request, clientAddress?: string): PlainRequest {
  const { host, pathname, search } = new URL(request.url);
  const headers: HeaderMap = { host };
  for (const [name, value] of request.headers) headers[name] = value;
  return {
    request_path: pathname + search,
    request_method: request.method,
    request_headers: headers,
    client_address: parseAddress(clientAddress) ?? getCloudflareAddress(request),
  };
}

/**
 * Returns an IP address without its IPv6 zone, which is only meaningful on the local machine. Returns undefined for
 * invalid addresses, because they would make the instance reject the entire request.
 */
function parseAddress(text: string | undefined): string | undefined {
  const [address] = text?.split('%') ?? [];
  return address !== undefined && /^(?:[\d.]+|[\da-f]*:[\da-f:.]*)$/i.test(address) ? address : undefined;
}

/** Returns the client address from Cloudflare's header, because Workers can't access the connection. */
const getCloudflareAddress = (request: Request): string | undefined =>
  'cf' in request ? (request.headers.get('cf-connecting-ip') ?? undefined) : undefined;

export const hasHeader = ({ request_headers: headers }: PlainRequest, name: string): boolean =>
  String(headers[name] ?? '') !== '';

const isWebRequest = (request: Request | NodeRequest): request is Request =>
  typeof (request.headers as { get?: unknown }).get === 'function';
