import { REDACTED } from '../credential-text.js';
import type { ObservedRequest } from '../observed-request.js';

/** Target and method of a request. Null means unknown. The authority is in lowercase, with the port if there is one. */
export interface RequestTarget {
  method: string | null;
  scheme: string | null;
  authority: string | null;
  /** Raw path, never empty. */
  path: string | null;
  /** Raw query including the `?`. Empty if there is none, or if it was cut off or redacted. */
  query: string;
  /** False if the query may have been cut off or was redacted. */
  isWhole: boolean;
}

/**
 * Possible values for the unknown parts of a request. Any candidate that verifies proves that the holder of the key
 * signed a request to this authority.
 */
export interface Candidate {
  method: string;
  scheme: string;
  authority: string | null;
  path: string | null;
}

/** RFC 3986, section 3.2, without user information. */
const AUTHORITY = /^[a-z0-9._~!$&'()*+;=:%[\]-]+$/;
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SCHEMES = ['https', 'http'];

/**
 * Reads the target of a request.
 *
 * Prefers HTTP/2 pseudo-headers, because they contain the sent values and visitors can't forge them over HTTP/1.
 * Ignores the headers in which proxies report the original host or method, because any visitor can send them.
 */
export function requestTarget({ headers, method, path }: ObservedRequest): RequestTarget {
  const authority = (headers[':authority'] ?? headers['host'])?.toLowerCase().replace(/:$/, '');
  const sent = headers[':path'];
  const target = sent ?? path;
  const start = target === null ? -1 : target.indexOf('?');
  const given = target === null || start === -1 ? '' : target.slice(start);
  // The signed query isn't known: it had a different value here.
  const isRedacted = given.includes(REDACTED);
  const query = isRedacted ? '' : given;
  return {
    method: headers[':method'] ?? method,
    scheme: headers[':scheme']?.toLowerCase() ?? null,
    authority: authority === undefined || !AUTHORITY.test(authority) ? null : authority,
    path: target === null ? null : pathOf(start === -1 ? target : target.slice(0, start)),
    query,
    isWhole: !isRedacted && (sent !== undefined || query !== ''),
  };
}

/** Returns the path, or null if it isn't in origin form or was redacted. */
function pathOf(path: string): string | null {
  if (path === '') return '/';
  return path.startsWith('/') && !path.includes(REDACTED) ? path : null;
}

/** Removes the default port of the scheme (RFC 9421, section 2.2.3). */
export function withoutDefaultPort(authority: string, scheme: string): string {
  const port = scheme === 'https' ? ':443' : ':80';
  return authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
}

/**
 * Returns the candidates for a signature over these components, likeliest first. There is only one if everything is
 * known.
 *
 * @param names Names of the covered components.
 * @param signer Token of the agent that signed the request.
 */
export function candidates(target: RequestTarget, names: readonly string[], signer: string | null = null): Candidate[] {
  const hasPort = target.authority !== null && /:(?:80|443)$/.test(target.authority);
  const usesScheme = names.some(
    (name) => name === '@scheme' || name === '@target-uri' || (hasPort && name === '@authority'),
  );
  const schemes = target.scheme !== null ? [target.scheme] : usesScheme ? SCHEMES : SCHEMES.slice(0, 1);
  const methods = names.includes('@method') ? methodsOf(target.method) : METHODS.slice(0, 1);
  return authorities(target.authority).flatMap((authority) =>
    paths(target.path, signer).flatMap((path) =>
      methods.flatMap((method) => schemes.map((scheme) => ({ method, scheme, authority, path }))),
    ),
  );
}

/** Methods are case-sensitive, but some sites report them in lowercase. */
function methodsOf(method: string | null): string[] {
  if (method === null) return METHODS;
  return method === method.toUpperCase() ? [method] : [method, method.toUpperCase()];
}

/** A host name with a trailing dot is the same host, and signers omit the dot. */
function authorities(authority: string | null): (string | null)[] {
  const dotless = authority?.endsWith('.') === true ? authority.slice(0, -1) : authority?.replace('.:', ':');
  return dotless === undefined || dotless === authority ? [authority] : [authority, dotless];
}

/** Tokens of agents that sign an empty path as is. RFC 9421, section 2.2.6, requires `/`. */
const EMPTY_PATH_SIGNERS: ReadonlySet<string> = new Set(['DuckDuckBot']);

const paths = (path: string | null, signer: string | null): (string | null)[] =>
  path === '/' && signer !== null && EMPTY_PATH_SIGNERS.has(signer) ? [path, ''] : [path];
