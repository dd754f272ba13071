import { unavailable } from '#libs/platform';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
} from 'openid-client';
import type { OidcSettings } from './oidc-settings.js';
import type { OidcSignIn } from './oidc.repository.js';

/** For each request to the provider. Finishing a sign-in needs up to three. */
const TIMEOUT_SECONDS = 5;
/** Older sessions at the provider don't count. Asked for a maximum age, the provider must tell when somebody signed in. */
const MAX_AGE_SECONDS = 365 * 86_400;
/** For providers that tell it only when asked for the claim itself (OpenID Connect Core 1.0, section 5.5). */
const AUTH_TIME_CLAIM = JSON.stringify({ id_token: { auth_time: { essential: true } } });
/** Beyond ASCII, different texts can become the same address in lower case. */
const ASCII_EMAIL = /^[!-?A-~]+@[!-~]+$/;

/** A person, as the provider describes them. */
export interface OidcPerson {
  /** Issuer, `#`, and ID there: an issuer contains no `#` (OpenID Connect Discovery 1.0, section 3). */
  subject: string;
  /** Null without a usable one. */
  email: string | null;
  isVerified: boolean;
  name: string;
  /** Seconds since 1970 when they authenticated there; null if the provider doesn't tell. */
  authTime: number | null;
}

/** Reads the provider's discovery document. @throws ProblemError 503 while the provider is unavailable. */
export async function discoverProvider({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const server = new URL(issuer);
  // Signatures are checked even though ID tokens come from the provider itself.
  const execute = [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])];
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const configuration = await discovery(server, clientId, clientSecret, undefined, options).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw otherIssuer(error);
    throw unavailable('The OpenID provider does not answer. Try again later.', error, 10);
  });
  const found = configuration.serverMetadata().issuer;
  // The library accepts other issuers from Microsoft.
  if (found !== issuer) throw otherIssuer(new Error(`the issuer is ${JSON.stringify(found)}, not OIDC_ISSUER`));
  return configuration;
}

/** Returns the provider's page for a sign-in: authorization code flow with state, nonce and PKCE. */
export async function signInPage(
  configuration: Configuration,
  redirectUri: string,
  state: string,
  { nonce, codeVerifier, confirmsSince }: OidcSignIn,
): Promise<string> {
  const isConfirming = confirmsSince !== null;
  return buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    max_age: String(isConfirming ? 0 : MAX_AGE_SECONDS),
    claims: AUTH_TIME_CLAIM,
    ...(isConfirming && { prompt: 'login' }),
  }).href;
}

/**
 * Exchanges the code of an answer for an ID token and returns whose it is. The library checks state, issuer, PKCE, and the
 * token's signature, `iss`, `aud`, `azp`, `exp` and `nonce`.
 *
 * @param answer address that the provider sent the browser back to.
 */
export async function personOf(
  configuration: Configuration,
  answer: URL,
  state: string,
  { nonce, codeVerifier }: OidcSignIn,
  trustEmails: boolean,
): Promise<OidcPerson> {
  const tokens = await authorizationCodeGrant(configuration, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  // With a single audience, the library ignores it.
  if (claims.azp !== undefined && claims.azp !== configuration.clientMetadata().client_id) {
    throw new Error('the ID token was issued to another client');
  }
  const {
    email,
    email_verified: verified,
    ...names
  } = claims['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
    ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : claims;
  const isVerified = verified === true || verified === 'true';
  return {
    subject: `${configuration.serverMetadata().issuer}#${claims.sub}`,
    email: typeof email === 'string' && ASCII_EMAIL.test(email) ? email : null,
    isVerified: isVerified || (trustEmails && verified === undefined),
    name: nameOf([names['name'], names['preferred_username'], email]),
    authTime: claims.auth_time ?? null,
  };
}

const nameOf = (names: unknown[]): string =>
  names.find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? '';

const otherIssuer = (cause: unknown) =>
  unavailable('The OpenID provider is not the one of the configuration.', cause, 60);
