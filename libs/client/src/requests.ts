import type { HeaderMap, IdentificationRequest } from './types.js';

/** What is read of a request of Node.js: that of `node:http`, Express or NestJS. */
export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  /** Express: the path before routers cut it. */
  originalUrl?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  socket?: { remoteAddress?: string | undefined } | undefined;
  /** What a parser made of the body. */
  body?: unknown;
}

/** A request of a framework, or its headers. Fastify's has that of Node.js in `raw`. */
export type AnyRequest =
  Request | NodeRequest | { raw: NodeRequest } | (IdentificationRequest & { request_path?: string });

/** A request in the words of the interface. */
export interface PlainRequest extends IdentificationRequest {
  request_path: string;
  request_method: string;
}

/** Reads what identifies the sender of a request, whatever framework it is of. */
export function plainRequest(request: AnyRequest): PlainRequest {
  if ('request_headers' in request) return { request_path: '/', request_method: 'GET', ...request };
  if ('raw' in request) return plainNodeRequest(request.raw);
  return isWebRequest(request) ? plainWebRequest(request) : plainNodeRequest(request);
}

export const plainNodeRequest = (request: NodeRequest): PlainRequest => ({
  request_path: request.originalUrl ?? request.url ?? '/',
  request_method: request.method ?? 'GET',
  request_headers: request.headers,
  // Gone once the connection is.
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
 * Returns an address without its zone, which means nothing elsewhere; undefined for anything else, which the instance
 * would refuse together with the request.
 */
function addressIn(text: string | undefined): string | undefined {
  const [address] = text?.split('%') ?? [];
  return address !== undefined && /^(?:[\d.]+|[\da-f]*:[\da-f:.]*)$/i.test(address) ? address : undefined;
}

/** Cloudflare's workers have no connection: who is at the other end of it stands in a header that Cloudflare sets. */
const addressAtCloudflare = (request: Request): string | undefined =>
  'cf' in request ? (request.headers.get('cf-connecting-ip') ?? undefined) : undefined;

export const hasHeader = ({ request_headers: headers }: PlainRequest, name: string): boolean =>
  String(headers[name] ?? '') !== '';

const isWebRequest = (request: Request | NodeRequest): request is Request =>
  typeof (request.headers as { get?: unknown }).get === 'function';
