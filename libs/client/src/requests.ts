import type { HeaderMap, IdentificationRequest } from './types.js';

/** The part of a Node.js, Express or NestJS request that the adapters read. */
export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** Express: the path before routers strip their prefix. */
  originalUrl?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  socket?: { remoteAddress?: string | undefined } | undefined;
  /** The parsed body, if a framework has parsed it. */
  body?: unknown;
}

/** A request of a framework, or its headers. Fastify keeps the Node.js request in `raw`. */
export type AnyRequest =
  Request | NodeRequest | { raw: NodeRequest } | (IdentificationRequest & { request_path?: string });

/** A request with the field names of the API. */
export interface PlainRequest extends IdentificationRequest {
  request_path: string;
  request_method: string;
}

export function plainRequest(request: AnyRequest): PlainRequest {
  if ('request_headers' in request) return { request_path: '/', request_method: 'GET', ...request };
  if ('raw' in request) return plainNodeRequest(request.raw);
  return isWebRequest(request) ? plainWebRequest(request) : plainNodeRequest(request);
}

export const plainNodeRequest = (request: NodeRequest): PlainRequest => ({
  request_path: request.originalUrl ?? request.url ?? '/',
  request_method: request.method ?? 'GET',
  request_headers: request.headers,
  // Undefined once the connection is closed, so it's read early.
  client_address: addressIn(request.socket?.remoteAddress),
});

export function plainWebRequest(request: Request, clientAddress?: string): PlainRequest {
  const { host, pathname, search } = new URL(request.url);
  const headers: HeaderMap = { host };
  for (const [name, value] of request.headers) headers[name] = value;
  return {
    request_path: pathname + search,
    request_method: request.method,
    request_headers: headers,
    client_address: addressIn(clientAddress) ?? addressAtCloudflare(request),
  };
}

/**
 * Returns an address without its zone, which is only valid on the local machine. Returns undefined for anything else,
 * because the instance would reject the entire request.
 */
function addressIn(text: string | undefined): string | undefined {
  const [address] = text?.split('%') ?? [];
  return address !== undefined && /^(?:[\d.]+|[\da-f]*:[\da-f:.]*)$/i.test(address) ? address : undefined;
}

/** Returns the client address from the header that Cloudflare sets, because Workers can't see the connection. */
const addressAtCloudflare = (request: Request): string | undefined =>
  'cf' in request ? (request.headers.get('cf-connecting-ip') ?? undefined) : undefined;

export const hasHeader = ({ request_headers: headers }: PlainRequest, name: string): boolean =>
  String(headers[name] ?? '') !== '';

const isWebRequest = (request: Request | NodeRequest): request is Request =>
  typeof (request.headers as { get?: unknown }).get === 'function';
