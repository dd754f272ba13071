import { REDACTED } from '../credential-text.js';
import type { ObservedRequest } from '../observed-request.js';

/** Method and target of a request. Unknown parts are null. */
export interface RequestTarget {
  method: string | null;
  scheme: string | null;
  /** Lowercase authority, including the port if there is one. */
  authority: string | null;
  /** Raw path. Never empty. */
  path: string | null;
  /** Raw query string including the `?`. Empty if it is missing, truncated or redacted. */
  query: string;
  /** False if the query string was redacted or may have been truncated. */
  isQueryComplete: boolean;
}

/**
 * Possible values for the unknown parts of a request. If the signature is valid for any candidate, the key's owner signed
 * a request to this authority.
 */
export interface Candidate {
  method: string;
  scheme: string;
  authority: string | null;
  path: string | null;
}

/** Lowercase authority without user information (RFC 3986, section 3.2). */
const AUTHORITY = /^[a-z0-9._~!$&'()*+;=:%[\]-]+$/;
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const SCHEMES = ['https', 'http'];

/**
 * Determines the target of a request.
 *
 * Prefers HTTP/2 pseudo-headers, because they contain the original values and visitors can't forge them over HTTP/1.
 * Ignores the headers that proxies use to report the original host or method, because any visitor can send them.
 */
export function parseRequestTarget({ headers, method, path }: ObservedRequest): RequestTarget {
  const authority = (headers[':authority'] ?? headers['host'])?.toLowerCase().replace(/:$/, '');
  const pseudoPath = headers[':path'];
  const target = pseudoPath ?? path;
  const start = target === null ? -1 : target.indexOf('?');
  const reportedQuery = target === null || start === -1 ? '' : target.slice(start);
  // The signed query string contained the original value, which is unknown.
  const isRedacted = reportedQuery.includes(REDACTED);
  const query = isRedacted ? '' : reportedQuery;
  return {
    method: headers[':method'] ?? method,
    scheme: headers[':scheme']?.toLowerCase() ?? null,
    authority: authority === undefined || !AUTHORITY.test(authority) ? null : authority,
    path: target === null ? null : parsePath(start === -1 ? target : target.slice(0, start)),
    query,
    isQueryComplete: !isRedacted && (pseudoPath !== undefined || query !== ''),
  };
}

/** Returns the path, or null if it is redacted or isn't in origin form. */
function parsePath(path: string): string | null {
  if (path === '') return '/';
  return path.startsWith('/') && !path.includes(REDACTED) ? path : null;
}

/** Removes the scheme's default port (RFC 9421, section 2.2.3). */
export function removeDefaultPort(authority: string, scheme: string): string {
  const port = scheme === 'https' ? ':443' : ':80';
  return authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
}

/**
 * Returns all candidates for the request, most likely first. Parts that the signature doesn't cover don't add any.
 *
 * @param names Names of the covered components.
 * @param signer Token of the agent that signed the request.
 */
export function listCandidates(
  target: RequestTarget,
  names: readonly string[],
  signer: string | null = null,
): Candidate[] {
  const hasPort = target.authority !== null && /:(?:80|443)$/.test(target.authority);
  const usesScheme = names.some(
    (name) => name === '@scheme' || name === '@target-uri' || (hasPort && name === '@authority'),
  );
  const schemes = target.scheme !== null ? [target.scheme] : usesScheme ? SCHEMES : SCHEMES.slice(0, 1);
  const methods = names.includes('@method') ? listMethods(target.method) : METHODS.slice(0, 1);
  return listAuthorities(target.authority).flatMap((authority) =>
    listPaths(target.path, signer).flatMap((path) =>
      methods.flatMap((method) => schemes.map((scheme) => ({ method, scheme, authority, path }))),
    ),
  );
}

/**
 * Returns the method. If it's lowercase, also returns its uppercase form. Methods are case-sensitive, but some sites
 * report them in lowercase.
 */
function listMethods(method: string | null): string[] {
  if (method === null) return METHODS;
  return method === method.toUpperCase() ? [method] : [method, method.toUpperCase()];
}

/** Returns the authority with and without a trailing dot, because signers omit the dot. */
function listAuthorities(authority: string | null): (string | null)[] {
  const authorityWithoutDot =
    authority?.endsWith('.') === true ? authority.slice(0, -1) : authority?.replace('.:', ':');
  return authorityWithoutDot === undefined || authorityWithoutDot === authority
    ? [authority]
    : [authority, authorityWithoutDot];
}

/** Tokens of agents that sign an empty path as is, although RFC 9421, section 2.2.6, requires `/`. */
const EMPTY_PATH_SIGNERS: ReadonlySet<string> = new Set(['DuckDuckBot']);

const listPaths = (path: string | null, signer: string | null): (string | null)[] =>
  path === '/' && signer !== null && EMPTY_PATH_SIGNERS.has(signer) ? [path, ''] : [path];
