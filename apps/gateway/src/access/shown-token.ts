import { DRAIN_SENDERS } from '#libs/drains';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyRequest } from 'fastify';
import { SETTINGS_HINT } from './access.service.js';

type Shown = Pick<FastifyRequest, 'headers' | 'query'>;

/** @throws ProblemError 401 if the Authorization header is missing or malformed. */
export function bearerToken({ headers: { authorization } }: Shown): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (token !== undefined) return token;
  throw unauthorized(
    authorization === undefined
      ? `Send the header Authorization with the value "Bearer <access token>"; ${SETTINGS_HINT}.`
      : 'The Authorization header must have the form "Bearer <access token>".',
  );
}

/** Names in lower case, as in the headers of a request. */
const TOKEN_HEADERS = DRAIN_SENDERS.flatMap(({ tokenHeader }) => tokenHeader?.toLowerCase() ?? []);

/**
 * Returns the access token of a drain request. Log senders can pass it as a bearer token, as the password of Basic
 * authentication with any user name, in a header of the sender's own, or in the URL.
 *
 * @throws ProblemError 401 if no token is found.
 */
export function drainToken(request: Shown): { token: string; isInUrl: boolean } {
  const { authorization } = request.headers;
  const { token: inUrl } = request.query as { token?: unknown };
  if (authorization === undefined) {
    const inHeader = TOKEN_HEADERS.map((name) => request.headers[name]).find(isText);
    if (inHeader !== undefined) return { token: inHeader, isInUrl: false };
    if (isText(inUrl)) return { token: inUrl, isInUrl: true };
  }
  return { token: passwordOf(authorization) ?? bearerToken(request), isInUrl: false };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function passwordOf(authorization = ''): string | undefined {
  const credentials = /^Basic +([\w+/=-]+) *$/i.exec(authorization)?.[1];
  if (credentials === undefined) return undefined;
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  const password = text.slice(text.indexOf(':') + 1);
  if (password !== '') return password;
  throw unauthorized(`The password of Basic authentication must be an access token; ${SETTINGS_HINT}.`);
}

export const tokenInUrl = (): ProblemError =>
  new ProblemError(
    'forbidden',
    'This project takes no access token in the address. Send it in the Authorization header, or allow it in the settings of drains.',
  );
