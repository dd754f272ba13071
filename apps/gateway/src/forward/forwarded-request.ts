import type { IncomingHttpHeaders } from 'node:http';
import { FORWARDING_HEADERS } from '#libs/agents';
import type { IdentificationItem } from '#libs/catalog';
import { ProblemError } from '#libs/platform';

/** A request that a proxy holds until it knows whether to let it in. */
interface ForwardedRequest {
  item: IdentificationItem;
  /** What it may be for, each with its query and a slash at its start; several where headers contradict each other. */
  paths: readonly string[];
}

/** Headers that are about the question itself; the token is nobody's but ours. */
const OF_THE_PROXY: ReadonlySet<string> = new Set([
  'authorization',
  'x-original-uri',
  'x-original-method',
  'x-forwarded-uri',
  'x-forwarded-method',
]);

/** Forwarding headers that say no other address than the proxy does. */
const BELIEVED: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'via']);

/**
 * Reads a visitor's request from what a proxy says of it: nginx by `X-Original-*`, as it is told to, Caddy and Traefik by
 * `X-Forwarded-*`. A proxy overwrites its own headers and passes on the others, which may be the visitor's inventions. So
 * where both are there and differ, each path counts for the rules, and neither is believed to be what was signed.
 *
 * @param headers as Node gives them.
 * @param addressHeader that the project believes instead of `X-Forwarded-For`. Others with addresses count only without that one: a
 *   visitor could contradict it, so that nobody knows the address.
 * @throws ProblemError 422 where none of them says the path.
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

/** The different values of headers, without empty ones. */
function valuesOf(headers: IncomingHttpHeaders, ...names: string[]): string[] {
  return [...new Set(names.map((name) => String(headers[name] ?? '')).filter((value) => value !== ''))];
}

/** Node reads bytes as Latin-1; in a path they are UTF-8. */
const decoded = (value: string): string => Buffer.from(value, 'latin1').toString();

/** Without the host of a request that was sent with one (RFC 9112 section 3.2.2). */
function pathOf(uri: string): string {
  if (uri.startsWith('/')) return uri;
  const url = URL.parse(uri);
  return url?.host ? url.pathname + url.search : `/${uri}`;
}
