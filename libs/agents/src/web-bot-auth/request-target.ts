import { REDACTED } from '../credential-text.js';
import type { ObservedRequest } from '../observed-request.js';

/** What is known of a request's target and method; `null` is not known. */
export interface RequestTarget {
  method: string | null;
  scheme: string | null;
  /** Host in lower case, with the port if there was one. */
  authority: string | null;
  /** Raw, never empty. */
  path: string | null;
  /** Raw with its `?`; empty where there is none, or where it was cut off or redacted. */
  query: string;
  /** Whether the lack of a query is certain. */
  isWhole: boolean;
}

/** Values for what isn't known. Any one that verifies proves that the holder of the key signed for this authority. */
export interface Candidate {
  method: string;
  scheme: string;
  authority: string | null;
  path: string | null;
}

/** RFC 3986 section 3.2 without user information. */
const AUTHORITY = /^[a-z0-9._~!$&'()*+;=:%[\]-]+$/;
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SCHEMES = ['https', 'http'];

/**
 * HTTP/2 pseudo-headers first: they are what was sent, and no visitor can forge them over HTTP/1.
 * Headers by which proxies tell of the original host or method are never read: any visitor can send them.
 */
export function requestTarget({ headers, method, path }: ObservedRequest): RequestTarget {
  const authority = (headers[':authority'] ?? headers['host'])?.toLowerCase().replace(/:$/, '');
  const sent = headers[':path'];
  const target = sent ?? path;
  const start = target === null ? -1 : target.indexOf('?');
  const given = target === null || start === -1 ? '' : target.slice(start);
  // What was signed had another value there.
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

/** Origin form only: nothing else is a path. */
function pathOf(path: string): string | null {
  if (path === '') return '/';
  return path.startsWith('/') && !path.includes(REDACTED) ? path : null;
}

/** RFC 9421 section 2.2.3: without the default port of the scheme. */
export function withoutDefaultPort(authority: string, scheme: string): string {
  const port = scheme === 'https' ? ':443' : ':80';
  return authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
}

/**
 * Everything to try for a signature over these components, likeliest first. One candidate where nothing is unknown.
 *
 * @param signer token of the agent that signed.
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

/** Methods are case-sensitive, but some sites report them in lower case. */
function methodsOf(method: string | null): string[] {
  if (method === null) return METHODS;
  return method === method.toUpperCase() ? [method] : [method, method.toUpperCase()];
}

/** A name with a dot at its end is the same host, and signers leave the dot out. */
function authorities(authority: string | null): (string | null)[] {
  const dotless = authority?.endsWith('.') === true ? authority.slice(0, -1) : authority?.replace('.:', ':');
  return dotless === undefined || dotless === authority ? [authority] : [authority, dotless];
}

/** Tokens of agents that sign an empty path as it is, which RFC 9421 section 2.2.6 makes `/`. */
const EMPTY_PATH_SIGNERS: ReadonlySet<string> = new Set(['DuckDuckBot']);

const paths = (path: string | null, signer: string | null): (string | null)[] =>
  path === '/' && signer !== null && EMPTY_PATH_SIGNERS.has(signer) ? [path, ''] : [path];
