import { bool, ConfigurationError, secret, serverUrl, str, words } from '#libs/platform';

export interface OidcSettings {
  /** Issuer URL. Must equal `issuer` in the discovery document (OpenID Connect Discovery 1.0). */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Provider name on the sign-in page. */
  name: string;
  /** Email addresses, in lowercase, of users who become administrators when they sign in. */
  adminEmails: readonly string[];
  /**
   * Whether anyone with an account at the provider can sign in. Otherwise, users need an account, an invitation or an
   * address in `adminEmails`.
   */
  signUp: boolean;
  /** Whether to treat email addresses as verified if the provider omits `email_verified`. */
  trustEmails: boolean;
  /** Email domains, in lowercase, whose users must sign in with the provider. */
  onlyDomains: readonly string[];
}

/** Settings for the OpenID provider. Spread them into a specification for `readEnvironment`. */
export const oidcSettings = {
  OIDC_ISSUER: serverUrl(
    'https',
    'http',
  )({ default: undefined, desc: 'URL of the OpenID provider for single sign-on' }),
  OIDC_CLIENT_ID: str({ default: undefined, desc: 'Client ID at the OpenID provider' }),
  OIDC_CLIENT_SECRET: secret(1)({ default: undefined, desc: 'Client secret at the OpenID provider' }),
  OIDC_NAME: str({ default: 'OpenID Connect', desc: 'Name of the OpenID provider on the sign-in page' }),
  OIDC_ADMIN_EMAILS: words({
    default: [],
    desc: 'Email addresses of users who become administrators when they sign in',
  }),
  OIDC_SIGN_UP: bool({
    default: false,
    desc: 'Whether anyone with an account at the OpenID provider can sign in without an invitation',
  }),
  OIDC_TRUST_EMAILS: bool({
    default: false,
    desc: 'Whether to treat email addresses as verified if the provider omits email_verified',
  }),
  OIDC_ONLY_DOMAINS: words({
    default: [],
    desc: 'Email domains that can only sign in with the OpenID provider, such as example.com',
  }),
};

/**
 * Returns the provider's settings, or null if no provider is configured.
 *
 * @throws {ConfigurationError} if a required setting is missing.
 */
export function toOidcSettings(settings: {
  OIDC_ISSUER: string | undefined;
  OIDC_CLIENT_ID: string | undefined;
  OIDC_CLIENT_SECRET: string | undefined;
  OIDC_NAME: string;
  OIDC_ADMIN_EMAILS: string[];
  OIDC_SIGN_UP: boolean;
  OIDC_TRUST_EMAILS: boolean;
  OIDC_ONLY_DOMAINS: string[];
}): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) {
    if (settings.OIDC_ONLY_DOMAINS.length === 0) return null;
    throw new ConfigurationError('OIDC_ONLY_DOMAINS requires an OpenID provider. Set OIDC_ISSUER as well.');
  }
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new ConfigurationError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together. Set all or none of them.',
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: settings.OIDC_NAME,
    adminEmails: settings.OIDC_ADMIN_EMAILS.map((email) => email.toLowerCase()),
    signUp: settings.OIDC_SIGN_UP,
    trustEmails: settings.OIDC_TRUST_EMAILS,
    onlyDomains: settings.OIDC_ONLY_DOMAINS.map((domain) => domain.toLowerCase().replace(/^@/, '')),
  };
}
