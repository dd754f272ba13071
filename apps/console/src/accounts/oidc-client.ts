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

/** Timeout of each request to the provider. Finishing a sign-in makes up to three. */
const TIMEOUT_SECONDS = 5;
/** Maximum age of the session at the provider. With `max_age`, providers must return `auth_time`. */
const MAX_AGE_SECONDS = 365 * 86_400;
/** For providers that only return `auth_time` if the claim is requested (OpenID Connect Core 1.0, section 5.5). */
const AUTH_TIME_CLAIM = JSON.stringify({ id_token: { auth_time: { essential: true } } });
/** ASCII only: lowercasing can turn different Unicode addresses into the same one. */
const ASCII_EMAIL = /^[!-?A-~]+@[!-~]+$/;

export interface OidcPerson {
  /** `<issuer>#<sub>`. An issuer can't contain `#` (OpenID Connect Discovery 1.0, section 3). */
  subject: string;
  /** Null if missing or not ASCII. */
  email: string | null;
  isVerified: boolean;
  name: string;
  /** Time of authentication at the provider, in seconds since the epoch. Null if unknown. */
  authTime: number | null;
}

/** Fetches the provider's discovery document. @throws ProblemError 503 if it's unavailable or has another issuer. */
export async function discoverProvider({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const server = new URL(issuer);
  // Checks signatures of ID tokens, although they come directly from the provider.
  const execute = [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])];
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const configuration = await discovery(server, clientId, clientSecret, undefined, options).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw otherIssuer(error);
    throw unavailable('The OpenID provider does not answer. Try again later.', error, 10);
  });
  const found = configuration.serverMetadata().issuer;
  // The library lets Microsoft's issuer differ from the configured one.
  if (found !== issuer) throw otherIssuer(new Error(`the issuer is ${JSON.stringify(found)}, not OIDC_ISSUER`));
  return configuration;
}

/** Returns the authorization URL for a sign-in: authorization code flow with state, nonce and PKCE. */
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
 * Exchanges an authorization code for an ID token and returns its person. The library checks state, issuer and PKCE, and
 * the token's signature, `iss`, `aud`, `exp` and `nonce`.
 *
 * @param answer Redirect URI with the provider's response.
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
  // The library only checks `azp` if there are several audiences.
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
