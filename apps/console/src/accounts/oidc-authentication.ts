import type { GenericOAuthUserInfo } from 'better-auth/plugins/generic-oauth';
import { unavailable } from '#libs/platform';
import { authenticationSettings, type AuthenticationOptions } from './authentication.js';
import type { OidcSettings } from './oidc-settings.js';

export const OIDC_PROVIDER = 'oidc';
/** Where the provider sends browsers back to. */
export const OIDC_CALLBACK = '/api/session/oidc/callback';

/** Milliseconds for the provider to say what it offers. */
const DISCOVERY_DEADLINE = 5_000;

export interface OidcOptions extends AuthenticationOptions {
  provider: OidcSettings;
  /** Whether an account may be made for an address. @param returnTo where the sign-in leads to. */
  mayCome(email: string, returnTo: string | undefined): Promise<boolean>;
  /** Before an account is opened to the owner of its address. */
  beforeLink(userId: string): Promise<void>;
}

/**
 * The authentication by the provider: authorization code with PKCE and a nonce, found by discovery, its ID tokens
 * checked against its keys.
 */
export async function oidcAuthentication(options: OidcOptions) {
  const { provider } = options;
  const discoveryUrl = `${provider.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  await requireProvider(discoveryUrl, provider.issuer);
  const [{ betterAuth }, { genericOAuth }, { getOAuthState }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/generic-oauth'),
    import('better-auth/api'),
  ]);
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
        mapProfileToUser: (profile) => userOf(profile, provider),
      },
    ],
  });
  const settings = authenticationSettings({
    ...options,
    plugins: [plugin],
    user: {
      validateUserInfo: async ({ user, source }) => {
        // Whoever is known by the provider's own id is let in whatever becomes of their address.
        if (source.action === 'sign-in') return undefined;
        if (!user.emailVerified) return { error: 'email_not_verified' };
        if (source.action === 'link-account') return undefined;
        const state = await getOAuthState();
        const may = await options.mayCome(user.email ?? '', state?.callbackURL);
        return may ? undefined : { error: 'not_invited' };
      },
    },
    account: { updateAccountOnSignIn: false, accountLinking: { enabled: true, requireLocalEmailVerified: false } },
    databaseHooks: {
      account: {
        create: {
          before: async (account) => {
            await options.beforeLink(account.userId);
            // Nothing more is asked of the provider, so its tokens are of no use here.
            return { data: { ...account, accessToken: null, refreshToken: null, idToken: null } };
          },
        },
      },
    },
  });
  return betterAuth({ ...settings, onAPIError: { errorURL: new URL('/sign-in', options.publicUrl).href } });
}

/** The library waits for a provider without end, and takes what it finds for the issuer. */
async function requireProvider(discoveryUrl: string, issuer: string): Promise<void> {
  let found: unknown;
  try {
    const response = await fetch(discoveryUrl, { redirect: 'error', signal: AbortSignal.timeout(DISCOVERY_DEADLINE) });
    found = ((await response.json()) as { issuer?: unknown }).issuer;
  } catch (error) {
    throw unavailable('The OpenID provider does not answer; try again later.', error, 10);
  }
  if (found === issuer) return;
  throw unavailable(
    'The OpenID provider is not the one of the configuration.',
    new Error(`${discoveryUrl} is of ${JSON.stringify(found)}, not of OIDC_ISSUER`),
    60,
  );
}

function userOf(profile: GenericOAuthUserInfo, { trustEmails }: OidcSettings) {
  const { email, name, preferred_username: userName, email_verified: verified } = profile;
  const isVerified = verified === true || verified === 'true';
  return {
    name: [name, userName, email].find((text) => typeof text === 'string' && text.trim() !== '') as string,
    image: undefined,
    emailVerified: isVerified || (trustEmails && verified === undefined),
  };
}
