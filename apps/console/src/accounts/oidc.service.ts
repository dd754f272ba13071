import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, ProblemError, type Logger } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import pTimeout from 'p-timeout';
import { notFound } from '../access/principal.js';
import { SessionCookie } from '../access/session-cookie.js';
import { InvitationsRepository } from '../members/invitations.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { AccountsRepository } from './accounts.repository.js';
import { passCookies, requestHeaders } from './authentication.service.js';
import { OIDC_PROVIDER, oidcAuthentication } from './oidc-authentication.js';
import type { OidcSettings } from './oidc-settings.js';

/** Injection token: the provider, or null. */
export const OIDC_SETTINGS = Symbol('OIDC settings');

/** Milliseconds within which a sign-in is finished at the provider. */
const DEADLINE = 15_000;

/** What the sign-in page is told, by what the library says. */
const ERRORS: Record<string, string> = {
  not_invited: 'not_invited',
  email_not_verified: 'email_not_verified',
  // There is an account of the address, which nobody says is theirs.
  account_not_linked: 'email_not_verified',
  access_denied: 'cancelled',
  state_mismatch: 'expired',
  state_not_found: 'expired',
  provider_unreachable: 'provider_unreachable',
};

type Authentication = Awaited<ReturnType<typeof oidcAuthentication>>;

/** Sign-ins by way of the OpenID provider. Its outage is none of the passwords'. */
@Injectable()
export class OidcService {
  private loaded: Promise<Authentication> | null = null;

  constructor(
    @Inject(OIDC_SETTINGS) private readonly provider: OidcSettings | null,
    @Inject(AccountsRepository) private readonly accounts: AccountsRepository,
    @Inject(InvitationsRepository) private readonly invitations: InvitationsRepository,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What the sign-in page shows. */
  get shown(): { name: string } | null {
    return this.provider && { name: this.provider.name };
  }

  /**
   * Begins a sign-in.
   *
   * @returns the provider's page to go to. @throws ProblemError 404 without a provider, 422 for a path that leads elsewhere, 503 while the provider is away.
   */
  async start(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> {
    const path = this.ownPath(returnTo);
    const { api } = await this.authentication();
    const { headers, response } = await api.signInSocial({
      body: { provider: OIDC_PROVIDER, callbackURL: path, errorCallbackURL: '/sign-in', disableRedirect: true },
      headers: requestHeaders(request),
      returnHeaders: true,
    });
    passCookies(headers, reply);
    void reply.header('cache-control', 'no-store');
    return response.url!;
  }

  /**
   * Takes the browser in again.
   *
   * @returns the path of the page to go to. @throws ProblemError 404 without a provider, 503 while it is away.
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const { handler } = await this.authentication();
    const url = new URL(`/api/session/callback/${OIDC_PROVIDER}`, this.publicUrl);
    url.search = new URL(request.raw.url ?? '', this.publicUrl).search;
    const answer = handler(new Request(url.href, { headers: requestHeaders(request) }));
    const response = await pTimeout(answer, { milliseconds: DEADLINE, fallback: () => null });
    const cookies = response?.headers.getSetCookie() ?? [];
    const session = this.cookie.tokenIn(cookies.map((cookie) => cookie.split(';', 1)[0]).join('; '));
    if (session !== null) await this.accounts.makeAdministrator(session, this.provider!.adminEmails);
    if (response !== null) passCookies(response.headers, reply);
    void reply.header('cache-control', 'no-store');
    return this.destination(response?.headers.get('location') ?? '/sign-in?error=provider_unreachable');
  }

  /** Where the browser goes, as a path of ours. */
  private destination(location: string): string {
    const { pathname, search, searchParams } = new URL(location, this.publicUrl);
    const error = searchParams.get('error');
    if (pathname !== '/sign-in' || error === null) return pathname + search;
    if (ERRORS[error] === undefined) this.logger.warn({ error }, 'a sign-in with the OpenID provider failed');
    return `/sign-in?error=${ERRORS[error] ?? 'failed'}`;
  }

  private ownPath(returnTo: string): string {
    const base = new URL(this.publicUrl);
    const url = URL.canParse(returnTo, base.href) ? new URL(returnTo, base) : null;
    if (returnTo.startsWith('/') && url?.origin === base.origin) return url.pathname + url.search;
    throw new ProblemError('invalid-body', 'The parameters do not fit: return_to must be a path.', {
      errors: [{ pointer: '/return_to', detail: 'must be a path of the dashboard' }],
    });
  }

  private async mayCome(email: string, returnTo: string | undefined): Promise<boolean> {
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
      mayCome: (email, returnTo) => this.mayCome(email, returnTo),
      beforeLink: (userId) => accounts.lockOutUnverified(userId),
    }).catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}
