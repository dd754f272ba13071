import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { hashCredential } from '#libs/database';
import { LOGGER, notFound, ProblemError, type Logger } from '#libs/platform';
import { returnAddress, type SignInRefusal } from '#libs/sign-in';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomNonce, randomPKCECodeVerifier, randomState, type Configuration } from 'openid-client';
import { OidcCookie } from '../access/pending-cookie.js';
import { isConfirmed, type SessionUser } from '../access/principal.js';
import { InvitationsRepository } from '../members/invitations.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { discoverProvider, personOf, signInPage, type OidcPerson } from './oidc-client.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { OidcRepository, SIGN_IN_SECONDS, type OidcSignIn } from './oidc.repository.js';
import { SignInsService } from './sign-ins.service.js';

const CALLBACK = '/api/session/oidc/callback';
/** Allowed clock difference between the provider and this machine. */
const CLOCK_SKEW_SECONDS = 60;

/** Rejected sign-in, with the reason for the sign-in page. */
class RefusedSignIn extends Error {
  constructor(readonly reason: SignInRefusal) {
    super(reason);
  }
}

/** Sign-in with the OpenID provider. If it's unavailable, signing in with a password still works. */
@Injectable()
export class OidcService {
  private loaded: Promise<Configuration> | null = null;

  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'oidc'>,
    private readonly oidc: OidcRepository,
    private readonly signIns: SignInsService,
    private readonly invitations: InvitationsRepository,
    private readonly cookie: OidcCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Provider name for the sign-in page, or null without a provider. */
  get shown(): { name: string } | null {
    return this.settings.oidc && { name: this.settings.oidc.name };
  }

  /** Returns true if an email address can only sign in with the provider. */
  isOnlyWay(email: string): boolean {
    const domain = email.trim().toLowerCase().split('@').at(-1)!;
    return this.settings.oidc?.onlyDomains.includes(domain) ?? false;
  }

  /** @throws ProblemError 403 if the email address can only sign in with the provider. */
  requireOtherWays(email: string): void {
    if (!this.isOnlyWay(email)) return;
    throw new ProblemError(
      'forbidden',
      `Addresses of this domain sign in with ${this.settings.oidc!.name} only. Use “Sign in with ${this.settings.oidc!.name}”.`,
    );
  }

  /**
   * Starts a sign-in.
   *
   * @returns the authorization URL of the provider.
   * @throws ProblemError 404 without a provider, 422 if `returnTo` isn't a dashboard path, 503 if the provider is
   * unavailable.
   */
  async start(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> {
    const page = returnAddress(returnTo);
    if (page === null) {
      throw new ProblemError('invalid-body', 'return_to must be a path of the dashboard, such as /projects.', {
        errors: [{ pointer: '/return_to', detail: 'must be a path of the dashboard' }],
      });
    }
    const configuration = await this.configuration();
    const state = randomState();
    // If a person is already signed in, this confirms their identity. The provider must authenticate them again.
    const isConfirming = request.visitor !== null;
    const signIn: OidcSignIn = {
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      returnTo: page,
      confirmsSince: isConfirming ? Math.floor(Date.now() / 1_000) - CLOCK_SKEW_SECONDS : null,
    };
    await this.oidc.begin(state, signIn);
    void reply.header('set-cookie', this.cookie.issue(state, SIGN_IN_SECONDS)).header('cache-control', 'no-store');
    return signInPage(configuration, new URL(CALLBACK, this.publicUrl).href, state, signIn);
  }

  /**
   * Finishes a sign-in when the provider redirects back.
   *
   * @returns the path to redirect to, and whether a session was opened.
   * @throws ProblemError 404 without a provider, 503 if it's unavailable.
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<{ destination: string; isSignedIn: boolean }> {
    const configuration = await this.configuration();
    void reply.header('cache-control', 'no-store');
    try {
      return { destination: await this.signIn(configuration, request, reply), isSignedIn: true };
    } catch (error) {
      return { destination: `/sign-in?error=${this.refusalOf(error, request.visitor !== null)}`, isSignedIn: false };
    }
  }

  /** @returns the path to redirect to. @throws RefusedSignIn or an error of the library. */
  private async signIn(configuration: Configuration, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const answer = new URL(CALLBACK, this.publicUrl);
    answer.search = new URL(request.raw.url ?? '', this.publicUrl).search;
    const { authorization_response_iss_parameter_supported: namesItself, issuer } = configuration.serverMetadata();
    // Checked first, so a response from another provider doesn't end the sign-in (RFC 9207).
    if (namesItself === true && answer.searchParams.get('iss') !== issuer) {
      throw new Error('the answer does not name the OpenID provider, or names another');
    }
    const state = this.cookie.tokenIn(request.headers.cookie);
    const signIn =
      state !== null && isEqual(answer.searchParams.get('state'), state) ? await this.oidc.take(state) : null;
    if (state === null || signIn === null) throw new RefusedSignIn('expired');
    void reply.header('set-cookie', this.cookie.remove());
    const { trustEmails, adminEmails } = this.settings.oidc!;
    const person = await personOf(configuration, answer, state, signIn, trustEmails);
    const { confirmsSince, returnTo } = signIn;
    if (confirmsSince !== null && (person.authTime ?? 0) < confirmsSince) throw new RefusedSignIn('not_confirmed');
    const { user, isNewAccount } = await this.accountOf(person, returnTo, request.visitor?.user ?? null);
    await this.oidc.makeAdministrator(user.id, adminEmails);
    await this.signIns.open(request, reply, user, { by: 'provider', at: person.authTime }, { isNewAccount });
    return returnTo;
  }

  /**
   * Returns the account of a person, after linking or creating it if necessary.
   *
   * @param visitor Person who is signed in to this browser.
   * @throws RefusedSignIn
   */
  private async accountOf(
    { subject, email, isVerified, name }: OidcPerson,
    returnTo: string,
    visitor: SessionUser | null,
  ): Promise<{ user: User; isNewAccount: boolean }> {
    const known = await this.oidc.find(subject);
    // Linked by the provider's ID, so people can sign in after their email address changed.
    if (known !== null) return { user: known, isNewAccount: false };
    if (email === null) throw new RefusedSignIn('email_missing');
    if (!isVerified) throw new RefusedSignIn('email_not_verified');
    const identity = { subject, email, name };
    const owner = await this.oidc.findByEmail(email);
    if (owner !== null) {
      const isConfirmedHere = visitor !== null && visitor.id === owner.id && isConfirmed(visitor);
      const outcome = await this.oidc.link(owner.id, identity, isConfirmedHere);
      if (outcome !== 'linked') throw new RefusedSignIn(outcome);
      return { user: owner, isNewAccount: false };
    }
    if (!(await this.maySignUp(email, returnTo))) throw new RefusedSignIn('not_invited');
    const user = await this.oidc.create(identity);
    if (user === null) throw new Error('another request created an account with the address at the same time');
    return { user, isNewAccount: true };
  }

  /** Returns the reason for the sign-in page. It never contains text from the provider. */
  private refusalOf(error: unknown, isConfirming: boolean): SignInRefusal {
    if (error instanceof RefusedSignIn) return error.reason;
    const { code, error: answer } = error as { code?: unknown; error?: unknown };
    if (answer === 'access_denied') return 'cancelled';
    this.logger.warn({ err: error }, 'a sign-in with the OpenID provider failed');
    if (code === 'OAUTH_TIMEOUT') return 'provider_unreachable';
    // For example, if `auth_time` isn't a number.
    return isConfirming && code === 'OAUTH_INVALID_RESPONSE' ? 'not_confirmed' : 'failed';
  }

  private async maySignUp(email: string, returnTo: string): Promise<boolean> {
    const { adminEmails, signUp } = this.settings.oidc!;
    if (signUp || adminEmails.includes(email.toLowerCase())) return true;
    const token = /^\/invitations\/(\w+)$/.exec(returnTo)?.[1];
    return token !== undefined && (await this.invitations.find(token)) !== null;
  }

  private configuration(): Promise<Configuration> {
    if (this.settings.oidc === null) throw notFound('OpenID provider');
    // After a failure, the next request retries.
    this.loaded ??= discoverProvider(this.settings.oidc).catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}

const isEqual = (given: string | null, expected: string): boolean =>
  given !== null && timingSafeEqual(hashCredential(given), hashCredential(expected));
