import { DRAIN_SENDERS } from '#libs/drains';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { SETTINGS_HINT } from './access.service.js';

type TokenSource = Pick<FastifyRequest, 'headers' | 'query'>;

/** @throws {ProblemError} 401 if the Authorization header is missing or malformed. */
export function bearerToken({ headers: { authorization } }: TokenSource): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw unauthorized(
    authorization === undefined
      ? `Send the header Authorization with the value "Bearer <access token>"; ${SETTINGS_HINT}.`
      : 'The Authorization header must have the form "Bearer <access token>".',
  );
}

const TOKEN_HEADERS = DRAIN_SENDERS.flatMap(({ tokenHeader }) => tokenHeader?.toLowerCase() ?? []);

/**
 * Returns the access token from a drain request. Senders can pass it as a bearer token, as the password for Basic
 * authentication (with any user name), in a sender-specific header, or in the URL.
 *
 * @throws {ProblemError} 401 if the request doesn't contain a token.
 */
export function drainToken(request: TokenSource): { token: string; isInUrl: boolean } {
  const { authorization } = request.headers;
  const { token: inUrl } = request.query as { token?: unknown };
  if (authorization === undefined) {
    const inHeader = TOKEN_HEADERS.map((name) => request.headers[name]).find(isText);
    if (inHeader !== undefined) return { token: inHeader, isInUrl: false };
    if (isText(inUrl)) return { token: inUrl, isInUrl: true };
  }
  return { token: basicPassword(authorization) ?? bearerToken(request), isInUrl: false };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function basicPassword(authorization = ''): string | undefined {
  const credentials = /^Basic +([\w+/=-]+) *$/i.exec(authorization)?.[1];
  if (credentials === undefined) return undefined;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const password = text.slice(text.indexOf(':') + 1);
  if (password !== '') return password;
  throw unauthorized(`The Basic authentication password must be an access token; ${SETTINGS_HINT}.`);
}

export const tokenInUrlError = (): ProblemError =>
  new ProblemError(
    'forbidden',
    "This project doesn't accept access tokens in the URL. Send the token in the Authorization header, or allow tokens in URLs in the drain settings.",
  );
