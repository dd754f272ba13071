import { AsyncLocalStorage } from 'node:async_hooks';
import type { GenericOAuthUserInfo } from 'better-auth/plugins/generic-oauth';
import { unavailable } from '#libs/platform';
import { authenticationSettings, type AuthenticationOptions } from './authentication.js';
import type { SessionUser } from '../access/principal.js';
import type { OidcSettings } from './oidc-settings.js';

export const OIDC_PROVIDER = 'oidc';
/** Where the provider sends browsers back to. */
const OIDC_CALLBACK = '/api/session/oidc/callback';

const DISCOVERY_TIMEOUT_MS = 5_000;

export interface OidcOptions extends AuthenticationOptions {
  provider: OidcSettings;
  /** Whether an account may be created for an address. @param returnTo where the sign-in leads to. */
  maySignUp(email: string, returnTo: string | undefined): Promise<boolean>;
  /** Whether an account already has an identity that may be another than this subject of the provider. */
  hasOtherIdentity(userId: string, subject: string): Promise<boolean>;
  /**
   * Whether an account takes more than an address to be opened to the provider's person: it has a second factor.
   *
   * @param visitor who is signed in already, in the browser that comes back.
   */
  isGuarded(userId: string, visitor: SessionUser | null): Promise<boolean>;
  /** Runs before an account is opened to the owner of its address. @param email null for a new account. */
  beforeLink(userId: string, email: string | null): Promise<void>;
}

interface SignInUnderWay {
  /** That the account is opened to. */
  email: string | null;
  /** When the person showed the provider who they are, in seconds since 1970; null: it doesn't say. */
  authTime: number | null;
  /** Who is signed in already. */
  visitor: SessionUser | null;
  /** Whether this made the account. */
  isNewAccount: boolean;
}

/** What the state of a sign-in holds, which is kept here. */
export interface ConfirmationState extends Record<string, unknown> {
  /** The person has to have shown who they are since then, in seconds since 1970. */
  confirmsSince?: number;
}

/**
 * Returns the authentication with the provider: authorization code with PKCE and a nonce, configured by discovery. The
 * library checks the ID token's signature, `iss`, `aud`, `exp` and `nonce`. That there is one, and its `azp`, is checked
 * here.
 */
export async function oidcAuthentication(options: OidcOptions) {
  const { provider } = options;
  const discoveryUrl = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const requiresIssuer = await requireProvider(discoveryUrl, provider.issuer);
  const [{ betterAuth }, { genericOAuth }, { getOAuthState }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/generic-oauth'),
    import('better-auth/api'),
  ]);
  const underWay = new AsyncLocalStorage<SignInUnderWay>();
  const plugin = genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl,
        requireIdTokenVerification: true,
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        redirectURI: new URL(OIDC_CALLBACK, options.publicUrl).href,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        accountSubject: ({ tokens }) => {
          const { sub, auth_time: authTime } = verifiedClaims(tokens.idToken, options);
          underWay.getStore()!.authTime = typeof authTime === 'number' ? authTime : null;
          return `${provider.issuer}#${sub}`;
        },
        mapProfileToUser: (profile) => userOf(profile, provider),
      },
    ],
  });
  const settings = authenticationSettings({
    ...options,
    plugins: [plugin],
    user: {
      validateUserInfo: async ({ user, source }) => {
        const state = await getOAuthState<ConfirmationState>();
        const since = state?.confirmsSince;
        const { authTime } = underWay.getStore()!;
        if (since !== undefined && (authTime === null || authTime < since)) return { error: 'not_confirmed' };
        // A person who is known by the provider's own id may sign in even after their address changed.
        if (source.action === 'sign-in') return undefined;
        if (!user.emailVerified) return { error: 'email_not_verified' };
        if (source.action === 'link-account') {
          const person = underWay.getStore()!;
          person.email = user.email!;
          if (await options.isGuarded(user.id!, person.visitor)) return { error: 'second_factor' };
          // The address may belong to somebody else by now.
          const subject = String(source.oauth?.profile?.['sub']);
          return (await options.hasOtherIdentity(user.id!, subject)) ? { error: 'other_identity' } : undefined;
        }
        const may = await options.maySignUp(user.email ?? '', state?.callbackURL);
        return may ? undefined : { error: 'not_invited' };
      },
    },
    account: { updateAccountOnSignIn: false, accountLinking: { enabled: true, requireLocalEmailVerified: false } },
    databaseHooks: {
      user: { create: { after: async () => void (underWay.getStore()!.isNewAccount = true) } },
      session: { create: { before: async (session) => ({ data: { ...session, opened_by: 'provider' } }) } },
      account: {
        create: {
          before: async (account) => {
            await options.beforeLink(account.userId, underWay.getStore()!.email);
            // The provider is not asked again, so its tokens are not needed.
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
          },
        },
      },
    },
  });
  const errorURL = new URL('/sign-in', options.publicUrl).href;
  const { api, handler } = betterAuth({ ...settings, onAPIError: { errorURL } });
  return {
    api,
    /**
     * Answers the request that the provider sent the browser with, and says when the person signed in there, and whether
     * that made their account.
     *
     * @param visitor who is signed in already.
     */
    handler: async (
      request: Request,
      visitor: SessionUser | null,
    ): Promise<{ response: Response } & Pick<SignInUnderWay, 'authTime' | 'isNewAccount'>> => {
      const signIn: SignInUnderWay = { email: null, authTime: null, visitor, isNewAccount: false };
      const response = await underWay.run(signIn, () => handler(request));
      return { response, authTime: signIn.authTime, isNewAccount: signIn.isNewAccount };
    },
    requiresIssuer,
  };
}

/**
 * Checks the provider's discovery document, since the library would wait for it without a timeout and trust any issuer.
 *
 * @returns whether the provider names itself in each answer (RFC 9207 section 3), so that an answer without is refused.
 */
async function requireProvider(discoveryUrl: string, issuer: string): Promise<boolean> {
  let found: { issuer?: unknown; authorization_response_iss_parameter_supported?: unknown };
  try {
    const response = await fetch(discoveryUrl, {
      redirect: 'error',
      signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS),
    });
    found = (await response.json()) as typeof found;
  } catch (error) {
    throw unavailable('The OpenID provider does not answer. Try again later.', error, 10);
  }
  if (found.issuer === issuer) return found.authorization_response_iss_parameter_supported === true;
  throw unavailable(
    'The OpenID provider is not the one of the configuration.',
    new Error(`${discoveryUrl} is of ${JSON.stringify(found.issuer)}, not of OIDC_ISSUER`),
    60,
  );
}

/**
 * Returns who signed in, and when, from an ID token that the library has verified. Without one the library asks the user info
 * endpoint, which does not tell which client the sign-in was for (OpenID Connect Core 1.0, section 3.1.3.7).
 *
 * @throws Error without an ID token, or when it was issued to another client.
 */
function verifiedClaims(
  idToken: string | undefined,
  { provider, logger }: Pick<OidcOptions, 'provider' | 'logger'>,
): { sub: string; auth_time?: unknown } {
  const refuse = (reason: string): never => {
    logger.warn({ issuer: provider.issuer }, `A sign-in was refused: ${reason}. Check the client at the provider.`);
    throw new Error(reason);
  };
  if (idToken === undefined) return refuse('the OpenID provider sent no ID token');
  const claims: { sub: string; aud: string | string[]; azp?: unknown; auth_time?: unknown } = JSON.parse(
    Buffer.from(idToken.split('.')[1]!, 'base64url').toString(),
  );
  const { aud, azp } = claims;
  const isForUs = azp === undefined ? [aud].flat().length === 1 : azp === provider.clientId;
  return isForUs ? claims : refuse('the ID token of the OpenID provider was issued to another client');
}

/** Beyond ASCII, different texts can become the same address in lower case. */
const ASCII_EMAIL = /^[!-?A-~]+@[!-~]+$/;

function userOf(profile: GenericOAuthUserInfo, { trustEmails }: OidcSettings) {
  const { email, name, preferred_username: userName, email_verified: verified } = profile;
  const isVerified = verified === true || verified === 'true';
  return {
    email: typeof email === 'string' && ASCII_EMAIL.test(email) ? email : undefined,
    name: [name, userName, email].find((text) => typeof text === 'string' && text.trim() !== '') as string,
    image: undefined,
    emailVerified: isVerified || (trustEmails && verified === undefined),
  };
}
