import { Inject, Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { LOGGER, notFound, ProblemError, type Logger } from '#libs/platform';
import { returnAddress, type SignInRefusal } from '#libs/sign-in';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pTimeout from 'p-timeout';
import { isConfirmed } from '../access/principal.js';
import { SessionCookie } from '../access/session-cookie.js';
import { InvitationsRepository } from '../members/invitations.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { AccountsRepository } from './accounts.repository.js';
import { passCookies, requestHeaders } from './authentication.service.js';
import { OIDC_PROVIDER, oidcAuthentication, type ConfirmationState } from './oidc-authentication.js';
import { OIDC_SETTINGS, type OidcSettings } from './oidc-settings.js';

/** By how much the clocks of the provider and this machine may differ. */
const CLOCK_SKEW_SECONDS = 60;
/** Older sessions at the provider don't do. Asked for any, it has to say when somebody signed in. */
const MAX_AGE_SECONDS = 365 * 86_400;
/** For providers that say it only when asked for the claim itself (OpenID Connect Core 1.0, section 5.5). */
const AUTH_TIME_CLAIM = JSON.stringify({ id_token: { auth_time: { essential: true } } });

/** For finishing a sign-in at the provider. */
const FINISH_TIMEOUT_MS = 15_000;

/** What the sign-in page shows, by the error of the library or the provider. */
const REFUSALS = new Map<string, SignInRefusal>([
  ['access_denied', 'cancelled'],
  // The address has an account, but it is not known to be theirs.
  ['account_not_linked', 'email_not_verified'],
  ['email_not_found', 'email_missing'],
  ['email_not_verified', 'email_not_verified'],
  ['not_confirmed', 'not_confirmed'],
  ['not_invited', 'not_invited'],
  ['other_identity', 'other_identity'],
  ['second_factor', 'second_factor'],
  ['state_mismatch', 'expired'],
  ['state_not_found', 'expired'],
]);

const refusal = (code: SignInRefusal): string => `/sign-in?error=${code}`;

type Authentication = Awaited<ReturnType<typeof oidcAuthentication>>;

/** Sign-in with the OpenID provider. Signing in with a password works without it. */
@Injectable()
export class OidcService {
  private loaded: Promise<Authentication> | null = null;

  constructor(
    @Inject(OIDC_SETTINGS) private readonly provider: OidcSettings | null,
    private readonly accounts: AccountsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly cookie: SessionCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What the sign-in page shows. */
  get shown(): { name: string } | null {
    return this.provider && { name: this.provider.name };
  }

  /** Whether an address signs in with the provider alone. */
  isOnlyWay(email: string): boolean {
    const domain = email.trim().toLowerCase().split('@').at(-1)!;
    return this.provider?.onlyDomains.includes(domain) ?? false;
  }

  /** @throws ProblemError 403 for an address that signs in with the provider alone. */
  requireOtherWays(email: string): void {
    if (!this.isOnlyWay(email)) return;
    throw new ProblemError(
      'forbidden',
      `Addresses of this domain sign in with ${this.provider!.name} only. Use “Sign in with ${this.provider!.name}”.`,
    );
  }

  /**
   * Starts a sign-in.
   *
   * @returns the provider's page to go to. @throws ProblemError 404 without a provider, 422 when `returnTo` leads to
   * another site, 503 while the provider is unavailable.
   */
  async start(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> {
    const page = returnAddress(returnTo);
    if (page === null) {
      throw new ProblemError('invalid-body', 'return_to must be a path of the dashboard, such as /projects.', {
        errors: [{ pointer: '/return_to', detail: 'must be a path of the dashboard' }],
      });
    }
    const { api } = await this.authentication();
    // Of somebody who is signed in it is asked to be sure, so a session at the provider is not enough.
    const isConfirming = request.visitor !== null;
    const state: ConfirmationState = isConfirming
      ? { confirmsSince: Math.floor(Date.now() / 1_000) - CLOCK_SKEW_SECONDS }
      : {};
    const { headers, response } = await api.signInSocial({
      body: {
        provider: OIDC_PROVIDER,
        callbackURL: page,
        errorCallbackURL: '/sign-in',
        disableRedirect: true,
        additionalData: state,
      },
      headers: requestHeaders(request),
      returnHeaders: true,
    });
    passCookies(headers, reply);
    void reply.header('cache-control', 'no-store');
    const url = new URL(response.url!);
    url.searchParams.set('max_age', String(isConfirming ? 0 : MAX_AGE_SECONDS));
    url.searchParams.set('claims', AUTH_TIME_CLAIM);
    if (isConfirming) url.searchParams.set('prompt', 'login');
    return url.href;
  }

  /**
   * Finishes a sign-in, when the browser comes back.
   *
   * @returns the path of the page to go to, whose session was opened, if one was, and whether that made the account.
   * @throws ProblemError 404 without a provider, 503 while it is unavailable.
   */
  async finish(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<{ destination: string; user: User | null; isNewAccount: boolean }> {
    const { handler, requiresIssuer } = await this.authentication();
    const url = new URL(`/api/session/callback/${OIDC_PROVIDER}`, this.publicUrl);
    url.search = new URL(request.raw.url ?? '', this.publicUrl).search;
    void reply.header('cache-control', 'no-store');
    if (requiresIssuer && url.searchParams.get('iss') !== this.provider!.issuer) {
      this.logger.warn('an answer to a sign-in does not name the OpenID provider, or names another');
      return { destination: refusal('failed'), user: null, isNewAccount: false };
    }
    const visitor = request.visitor?.user ?? null;
    const answer = handler(new Request(url.href, { headers: requestHeaders(request) }), visitor);
    const { response, authTime, isNewAccount } = await pTimeout(answer, {
      milliseconds: FINISH_TIMEOUT_MS,
      fallback: () => ({ response: null, authTime: null, isNewAccount: false }),
    });
    const cookies = response?.headers.getSetCookie() ?? [];
    const session = this.cookie.tokenIn(cookies.map((cookie) => cookie.split(';', 1)[0]).join('; '));
    if (session !== null) {
      await this.accounts.setConfirmed(session, authTime);
      await this.accounts.makeAdministrator(session, this.provider!.adminEmails);
    }
    if (response !== null) passCookies(response.headers, reply);
    const destination =
      response === null ? refusal('provider_unreachable') : this.destination(response.headers.get('location'));
    const user = session === null ? null : await this.accounts.findBySession(session);
    return { destination, user, isNewAccount };
  }

  /** Returns the path of our page to go to. It carries codes, never the provider's texts. */
  private destination(location: string | null): string {
    const { pathname, search, searchParams, hash } = new URL(location ?? '/sign-in?error=failed', this.publicUrl);
    const error = searchParams.get('error');
    if (pathname !== '/sign-in' || error === null) return returnAddress(pathname + search + hash) ?? '/';
    const code = REFUSALS.get(error);
    if (code === undefined) this.logger.warn({ error }, 'a sign-in with the OpenID provider failed');
    return refusal(code ?? 'failed');
  }

  private async maySignUp(email: string, returnTo: string | undefined): Promise<boolean> {
    const { adminEmails, signUp } = this.provider!;
    if (signUp || adminEmails.includes(email.toLowerCase())) return true;
    const token = /^\/invitations\/(\w+)$/.exec(returnTo ?? '')?.[1];
    return token !== undefined && (await this.invitations.find(token)) !== null;
  }

  private authentication(): Promise<Authentication> {
    const { provider, cookie, publicUrl, logger, accounts } = this;
    if (provider === null) throw notFound('OpenID provider');
    this.loaded ??= oidcAuthentication({
      database: accounts.pool,
      provider,
      cookie,
      publicUrl,
      logger,
      maySignUp: (email, returnTo) => this.maySignUp(email, returnTo),
      hasOtherIdentity: (userId, subject) => accounts.hasOtherLogin(userId, OIDC_PROVIDER, subject),
      isGuarded: async (userId, visitor) =>
        !(visitor?.id === userId && isConfirmed(visitor)) && (await accounts.isGuarded(userId)),
      beforeLink: (userId, email) => accounts.prepareLogin(userId, OIDC_PROVIDER, email),
    }).catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}
