import { bool, ConfigurationError, secret, serverUrl, str, words } from '#libs/platform';

export interface OidcSettings {
  /** Must equal `issuer` in the discovery document (OpenID Connect Discovery 1.0). */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Name on the sign-in page. */
  name: string;
  /** Email addresses, in lowercase, of people who become administrators when they sign in. */
  adminEmails: readonly string[];
  /**
   * Whether everyone with an account at the provider may sign in. Otherwise, people need an account, an invitation or an
   * address in `adminEmails`.
   */
  signUp: boolean;
  /** Whether to treat email addresses as verified if the provider omits `email_verified`. */
  trustEmails: boolean;
  /** Email domains, in lowercase, that can only sign in with the provider. */
  onlyDomains: readonly string[];
}

/** Settings for the OpenID provider. Spread them into a specification for `readEnvironment`. */
export const oidcSettings = {
  OIDC_ISSUER: serverUrl('https', 'http')({ default: undefined, desc: 'OpenID provider to sign in with' }),
  OIDC_CLIENT_ID: str({ default: undefined, desc: 'Our client id there' }),
  OIDC_CLIENT_SECRET: secret(1)({ default: undefined, desc: 'Our client secret there' }),
  OIDC_NAME: str({ default: 'OpenID Connect', desc: 'What the sign-in page calls it' }),
  OIDC_ADMIN_EMAILS: words({ default: [], desc: 'Accounts with one of these become administrators' }),
  OIDC_SIGN_UP: bool({
    default: false,
    desc: 'Whether everyone with an account there may sign in without an invitation',
  }),
  OIDC_TRUST_EMAILS: bool({
    default: false,
    desc: 'Whether to accept addresses that the provider does not call verified',
  }),
  OIDC_ONLY_DOMAINS: words({
    default: [],
    desc: 'Domains of addresses that sign in with the provider alone, such as example.com',
  }),
};

/** Returns null without a provider. @throws ConfigurationError if required settings are missing. */
export function oidcOf(settings: {
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
    throw new ConfigurationError('OIDC_ONLY_DOMAINS requires an OpenID provider: set OIDC_ISSUER, too.');
  }
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    throw new ConfigurationError('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all, or none.');
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
