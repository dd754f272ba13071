import type { IncomingHttpHeaders } from 'node:http';
import { FORWARDING_HEADERS } from '#libs/agents';
import type { IdentificationItem } from '#libs/catalog';
import { ProblemError } from '#libs/platform';
import { toPath } from '#libs/policy';

/** A visitor's request that a proxy has put on hold until the gateway allows or blocks it. */
export interface ForwardedRequest {
  item: IdentificationItem;
  /**
   * Possible paths, each with a leading slash and its query string. There's more than one if headers contradict each
   * other.
   */
  paths: readonly string[];
  /** Possible methods. Empty if no header contains one. */
  methods: readonly string[];
}

/** Headers that belong to the proxy's own request. Authorization contains the project's access token. */
const PROXY_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'x-original-uri',
  'x-original-method',
  'x-forwarded-uri',
  'x-forwarded-method',
]);

/** Forwarding headers that are always passed on, because the proxy sets any addresses in them. */
const PROXY_FORWARDING_HEADERS: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'via',
]);

/**
 * Reconstructs a visitor's request from the headers a proxy sends. Caddy and Traefik send `X-Forwarded-*`, and nginx is
 * configured to send `X-Original-*`. A proxy overwrites the headers in its own set but passes on those in the other
 * set, which the visitor may have forged. If the two sets differ, rules apply to both paths and methods, and signatures
 * are checked against neither.
 *
 * If `X-Forwarded-For` is present, drops other headers with client addresses. Otherwise, a visitor could send one that
 * contradicts it to make the address ambiguous.
 *
 * @param addressHeader Header that the project trusts for the client address. Never dropped. Empty if there is none.
 * @throws {ProblemError} 422 if no header contains the path.
 */
export function forwardedRequest(headers: IncomingHttpHeaders, addressHeader = ''): ForwardedRequest {
  const uris = distinctValues(headers, 'x-original-uri', 'x-forwarded-uri').map(decodeUtf8);
  if (uris.length === 0) {
    throw new ProblemError(
      'invalid-body',
      "The request has no path. Have the proxy send the visitor's path as X-Original-URI or X-Forwarded-Uri.",
    );
  }
  const methods = distinctValues(headers, 'x-original-method', 'x-forwarded-method');
  const trustedHeader = headers['x-forwarded-for'] === undefined ? null : addressHeader.toLowerCase();
  const isForgeable = (name: string): boolean =>
    trustedHeader !== null &&
    name !== trustedHeader &&
    FORWARDING_HEADERS.has(name) &&
    !PROXY_FORWARDING_HEADERS.has(name);
  const visitorHeaders = Object.entries(headers).filter(([name]) => !PROXY_HEADERS.has(name) && !isForgeable(name));
  const host = headers['x-forwarded-host'] ?? headers.host;
  return {
    item: {
      headers: {
        ...Object.fromEntries(visitorHeaders),
        ...(host !== undefined && { host }),
      } as IdentificationItem['headers'],
      method: methods.length === 1 ? methods[0]! : null,
      path: uris.length === 1 ? uris[0]! : null,
    },
    paths: uris.map(toPath),
    methods,
  };
}

function distinctValues(headers: IncomingHttpHeaders, ...names: string[]): string[] {
  return [...new Set(names.map((name) => String(headers[name] ?? '')).filter((value) => value !== ''))];
}

/** Node.js decodes headers as Latin-1, but paths are UTF-8. */
const decodeUtf8 = (value: string): string => Buffer.from(value, 'latin1').toString();
