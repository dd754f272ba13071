import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth';
import type { Logger } from '#libs/platform';
import { v7 } from 'uuid';
import type { SessionCookie } from '../access/session-cookie.js';

/** How long a session lasts when it is not used. */
export const SESSION_SECONDS = 30 * 86_400;
/** How often use extends a session. */
export const SESSION_RENEWAL_SECONDS = 86_400;

export interface AuthenticationOptions {
  /** The pool of the process. */
  database: NonNullable<BetterAuthOptions['database']>;
  cookie: SessionCookie;
  publicUrl: string;
  logger: Logger;
  /** How passwords are hashed. */
  password?: NonNullable<BetterAuthOptions['emailAndPassword']>['password'];
  plugins?: BetterAuthPlugin[];
  /** In addition to what is the same everywhere. */
  user?: BetterAuthOptions['user'];
  account?: BetterAuthOptions['account'];
  databaseHooks?: BetterAuthOptions['databaseHooks'];
}

/**
 * Returns better-auth's settings. It keeps passwords and sessions in our tables, under our names and ids. Its
 * own routes are not served, its rate limits and telemetry are off, and who may have an account is decided elsewhere.
 */
export function authenticationSettings(options: AuthenticationOptions) {
  const { cookie, publicUrl, logger } = options;
  const dates = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return {
    appName: 'Agent Traffic',
    baseURL: publicUrl,
    basePath: '/api/session',
    secret: cookie.secret,
    database: options.database,
    plugins: options.plugins ?? [],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 128,
      ...(options.password && { password: options.password }),
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', ...dates },
      additionalFields: { is_admin: { type: 'boolean', required: false, input: false, defaultValue: false } },
      ...options.user,
    },
    session: {
      modelName: 'user_sessions',
      fields: { userId: 'user_id', expiresAt: 'expires_at', ipAddress: 'address', userAgent: 'user_agent', ...dates },
      expiresIn: SESSION_SECONDS,
      updateAge: SESSION_RENEWAL_SECONDS,
      additionalFields: { opened_by: { type: 'string', required: false, input: false, defaultValue: 'password' } },
    },
    account: {
      modelName: 'user_logins',
      fields: {
        userId: 'user_id',
        providerId: 'provider',
        accountId: 'subject',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...dates,
      },
      encryptOAuthTokens: true,
      ...options.account,
    },
    verification: {
      modelName: 'user_verifications',
      fields: { expiresAt: 'expires_at', ...dates },
      storeIdentifier: 'hashed',
    },
    databaseHooks: options.databaseHooks ?? {},
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: {
      // What concerns an operator is logged where an error is handled; the rest only helps to find a fault.
      log: (level, message, ...details) => logger.debug({ level, details }, message),
    },
    advanced: {
      // The cookie's name is given in full, so better-auth must not add its own prefix.
      useSecureCookies: false,
      cookiePrefix: cookie.isSecure ? '__Host-agent_traffic' : 'agent_traffic',
      cookies: { session_token: { name: cookie.name } },
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: cookie.isSecure },
      database: { generateId: () => v7() },
      // `requireSameOrigin` has checked the request already.
      disableCSRFCheck: true,
      // The client's address is ours to tell, not the client's headers'.
      ipAddress: { ipAddressHeaders: ['x-agent-traffic-client-address'] },
    },
  } satisfies BetterAuthOptions;
}
