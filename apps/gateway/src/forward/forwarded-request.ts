import type { IncomingHttpHeaders } from 'node:http';
import { FORWARDING_HEADERS } from '#libs/agents';
import type { IdentificationItem } from '#libs/catalog';
import { ProblemError } from '#libs/platform';

/** Visitor's request, held by a proxy until it's allowed or refused. */
interface ForwardedRequest {
  item: IdentificationItem;
  /** Possible paths, each with its query and a leading slash. More than one if headers contradict each other. */
  paths: readonly string[];
}

/** Headers that the proxy adds. Authorization contains the project's access token. */
const OF_THE_PROXY: ReadonlySet<string> = new Set([
  'authorization',
  'x-original-uri',
  'x-original-method',
  'x-forwarded-uri',
  'x-forwarded-method',
]);

/** Forwarding headers whose address, if any, comes from the proxy. */
const BELIEVED: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'via']);

/**
 * Reads a visitor's request from the headers of a proxy. Caddy and Traefik send `X-Forwarded-*`, nginx is configured to
 * send `X-Original-*`. A proxy overwrites its own headers but passes on the others, which the visitor may have forged.
 * If both are present and differ, the rules apply to both paths, and signatures are checked against neither.
 *
 * @param headers As parsed by Node.js.
 * @param addressHeader Header that the project trusts for the client address, instead of `X-Forwarded-For`. If
 * `X-Forwarded-For` is present, other headers with addresses are dropped. Otherwise a visitor could contradict it, and
 * the address would be unknown.
 * @throws ProblemError 422 if no header contains the path.
 */
export function forwardedRequest(headers: IncomingHttpHeaders, addressHeader = ''): ForwardedRequest {
  const uris = valuesOf(headers, 'x-original-uri', 'x-forwarded-uri').map(decoded);
  if (uris.length === 0) {
    throw new ProblemError(
      'invalid-body',
      "The request has no path. Have the proxy send the visitor's path as X-Original-URI or X-Forwarded-Uri.",
    );
  }
  const methods = valuesOf(headers, 'x-original-method', 'x-forwarded-method');
  const believed = headers['x-forwarded-for'] === undefined ? null : addressHeader.toLowerCase();
  const isInvented = (name: string): boolean =>
    believed !== null && name !== believed && FORWARDING_HEADERS.has(name) && !BELIEVED.has(name);
  const passedOn = Object.entries(headers).filter(([name]) => !OF_THE_PROXY.has(name) && !isInvented(name));
  const host = headers['x-forwarded-host'] ?? headers.host;
  return {
    item: {
      headers: {
        ...Object.fromEntries(passedOn),
        ...(host !== undefined && { host }),
      } as IdentificationItem['headers'],
      method: methods.length === 1 ? methods[0]! : null,
      path: uris.length === 1 ? uris[0]! : null,
    },
    paths: uris.map(pathOf),
  };
}

/** Returns the distinct, non-empty values of the headers. */
function valuesOf(headers: IncomingHttpHeaders, ...names: string[]): string[] {
  return [...new Set(names.map((name) => String(headers[name] ?? '')).filter((value) => value !== ''))];
}

/** Node.js decodes headers as Latin-1, but paths are UTF-8. */
const decoded = (value: string): string => Buffer.from(value, 'latin1').toString();

/** Strips the host from a URI in absolute form (RFC 9112 section 3.2.2). */
function pathOf(uri: string): string {
  if (uri.startsWith('/')) return uri;
  const url = URL.parse(uri);
  return url?.host ? url.pathname + url.search : `/${uri}`;
}
