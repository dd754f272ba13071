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

/** Timeout of a request to the provider. A sign-in takes up to three requests to finish. */
const TIMEOUT_SECONDS = 5;
/** Maximum age of the user's session at the provider. Sending `max_age` obliges the provider to return `auth_time`. */
const MAX_AGE_SECONDS = 365 * 86_400;
/** Requests `auth_time` from providers that ignore `max_age` (OpenID Connect Core 1.0, section 5.5). */
const AUTH_TIME_CLAIM = JSON.stringify({ id_token: { auth_time: { essential: true } } });
/** Only matches ASCII, because different Unicode addresses can become equal in lowercase. */
const ASCII_EMAIL = /^[!-?A-~]+@[!-~]+$/;

export interface OidcPerson {
  /** Unique ID in the form `<issuer>#<sub>`. An issuer can't contain `#` (OpenID Connect Discovery 1.0, section 3). */
  subject: string;
  /** Email address. Null if it is missing or contains non-ASCII characters. */
  email: string | null;
  isVerified: boolean;
  name: string;
  /** Time at which the provider authenticated the user, in seconds since the epoch. Null if unknown. */
  authTime: number | null;
}

/**
 * Fetches the provider's discovery document.
 *
 * @throws {ProblemError} 503 if the provider is unavailable or its issuer isn't the configured one.
 */
export async function discoverProvider({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const server = new URL(issuer);
  // Also verify the signatures of ID tokens, although OpenID Connect doesn't require it for tokens that come directly
  // from the provider.
  const execute = [enableNonRepudiationChecks, ...(server.protocol === 'http:' ? [allowInsecureRequests] : [])];
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const configuration = await discovery(server, clientId, clientSecret, undefined, options).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw issuerMismatch(error);
    throw unavailable('The OpenID provider is not responding. Try again later.', error, 10);
  });
  const foundIssuer = configuration.serverMetadata().issuer;
  // openid-client already checks the issuer, but accepts a different one from Microsoft.
  if (foundIssuer !== issuer)
    throw issuerMismatch(new Error(`the issuer is ${JSON.stringify(foundIssuer)}, not OIDC_ISSUER`));
  return configuration;
}

/** Returns the URL for a sign-in with the authorization code flow, including state, nonce and PKCE. */
export async function buildSignInUrl(
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
 * Exchanges an authorization code for an ID token and returns the user it identifies. openid-client verifies state,
 * issuer and PKCE, and the token's signature, `iss`, `aud`, `exp` and `nonce`.
 *
 * @param callbackUrl Redirect URI with the provider's response in its query.
 */
export async function fetchPerson(
  configuration: Configuration,
  callbackUrl: URL,
  state: string,
  { nonce, codeVerifier }: OidcSignIn,
  trustEmails: boolean,
): Promise<OidcPerson> {
  const tokens = await authorizationCodeGrant(configuration, callbackUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  // openid-client only checks `azp` if there are several audiences.
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
    name: pickName([names['name'], names['preferred_username'], email]),
    authTime: claims.auth_time ?? null,
  };
}

const pickName = (names: unknown[]): string =>
  names.find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? '';

const issuerMismatch = (cause: unknown) =>
  unavailable('The OpenID provider identifies itself with a different issuer than OIDC_ISSUER.', cause, 60);
