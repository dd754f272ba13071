import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { User } from '#libs/contracts';
import { hashCredential } from '#libs/database';
import { LOGGER, notFound, ProblemError, type Logger } from '#libs/platform';
import { parseReturnPath, type SignInError } from '#libs/sign-in';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomNonce, randomPKCECodeVerifier, randomState, type Configuration } from 'openid-client';
import { OidcCookie } from '../access/pending-cookie.js';
import { isConfirmed, type SessionUser } from '../access/principal.js';
import { InvitationsRepository } from '../members/invitations.repository.js';
import { PUBLIC_URL } from '../public-url.js';
import { discoverProvider, fetchPerson, buildSignInUrl, type OidcPerson } from './oidc-client.js';
import { CONSOLE_SETTINGS, type ConsoleSettings } from '../console-settings.js';
import { OidcRepository, SIGN_IN_SECONDS, type OidcSignIn } from './oidc.repository.js';
import { SignInsService } from './sign-ins.service.js';

const CALLBACK = '/api/session/oidc/callback';
/** Tolerated clock difference between the provider and this machine. */
const CLOCK_SKEW_SECONDS = 60;

/** Thrown if a sign-in is rejected. The sign-in page shows the reason. */
class RejectedSignIn extends Error {
  constructor(readonly reason: SignInError) {
    super(reason);
  }
}

/** Signs users in with the OpenID provider. If the provider is unavailable, users can still sign in with a password. */
@Injectable()
export class OidcService {
  private configurationPromise: Promise<Configuration> | null = null;

  constructor(
    @Inject(CONSOLE_SETTINGS) private readonly settings: Pick<ConsoleSettings, 'oidc'>,
    private readonly oidc: OidcRepository,
    private readonly signIns: SignInsService,
    private readonly invitations: InvitationsRepository,
    private readonly cookie: OidcCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Provider name for the sign-in page, or null if no provider is configured. */
  get providerInfo(): { name: string } | null {
    return this.settings.oidc && { name: this.settings.oidc.name };
  }

  /** Returns whether users with this email address must sign in with the provider. */
  isProviderRequired(email: string): boolean {
    const domain = email.trim().toLowerCase().split('@').at(-1)!;
    return this.settings.oidc?.onlyDomains.includes(domain) ?? false;
  }

  /** @throws {ProblemError} 403 if users with this email address must sign in with the provider. */
  requirePasswordAllowed(email: string): void {
    if (!this.isProviderRequired(email)) return;
    throw new ProblemError(
      'forbidden',
      `Email addresses in this domain can only sign in with ${this.settings.oidc!.name}. Use “Sign in with ${this.settings.oidc!.name}”.`,
    );
  }

  /**
   * Starts a sign-in.
   *
   * @returns The provider's authorization URL.
   * @throws {ProblemError} 404 without a provider, 422 if `returnTo` isn't a dashboard path, or 503 if the provider is
   * unavailable.
   */
  async start(request: FastifyRequest, reply: FastifyReply, returnTo: string): Promise<string> {
    const page = parseReturnPath(returnTo);
    if (page === null) {
      throw new ProblemError('invalid-body', 'return_to must be a dashboard path, such as /projects.', {
        errors: [{ pointer: '/return_to', detail: 'must be a dashboard path' }],
      });
    }
    const configuration = await this.configuration();
    const state = randomState();
    // If the user is already signed in, they are confirming their identity, so the provider must authenticate them
    // again.
    const isConfirming = request.visitor !== null;
    const signIn: OidcSignIn = {
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      returnTo: page,
      confirmsSince: isConfirming ? Math.floor(Date.now() / 1_000) - CLOCK_SKEW_SECONDS : null,
    };
    await this.oidc.savePending(state, signIn);
    void reply.header('set-cookie', this.cookie.issue(state, SIGN_IN_SECONDS)).header('cache-control', 'no-store');
    return buildSignInUrl(configuration, new URL(CALLBACK, this.publicUrl).href, state, signIn);
  }

  /**
   * Finishes a sign-in after the provider redirects back.
   *
   * @returns The path to redirect to, and whether a session was opened.
   * @throws {ProblemError} 404 without a provider, or 503 if it is unavailable.
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<{ destination: string; isSignedIn: boolean }> {
    const configuration = await this.configuration();
    void reply.header('cache-control', 'no-store');
    try {
      return { destination: await this.signIn(configuration, request, reply), isSignedIn: true };
    } catch (error) {
      return {
        destination: `/sign-in?error=${this.toRejectionReason(error, request.visitor !== null)}`,
        isSignedIn: false,
      };
    }
  }

  /**
   * Signs the user in and returns the path to redirect to.
   *
   * @throws {RejectedSignIn} if the sign-in is rejected.
   * @throws {Error} if openid-client rejects the provider's response.
   */
  private async signIn(configuration: Configuration, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const answer = new URL(CALLBACK, this.publicUrl);
    answer.search = new URL(request.raw.url ?? '', this.publicUrl).search;
    const { authorization_response_iss_parameter_supported: includesIssuer, issuer } = configuration.serverMetadata();
    // Check this first, so a response from another provider doesn't use up the pending sign-in (RFC 9207).
    if (includesIssuer === true && answer.searchParams.get('iss') !== issuer) {
      throw new Error('the response has no issuer, or the issuer of another OpenID provider');
    }
    const state = this.cookie.readToken(request.headers.cookie);
    const signIn =
      state !== null && isEqual(answer.searchParams.get('state'), state) ? await this.oidc.takePending(state) : null;
    if (state === null || signIn === null) throw new RejectedSignIn('expired');
    void reply.header('set-cookie', this.cookie.remove());
    const { trustEmails, adminEmails } = this.settings.oidc!;
    const person = await fetchPerson(configuration, answer, state, signIn, trustEmails);
    const { confirmsSince, returnTo } = signIn;
    if (confirmsSince !== null && (person.authTime ?? 0) < confirmsSince) throw new RejectedSignIn('not_confirmed');
    const { user, isNewAccount } = await this.findOrCreateAccount(person, returnTo, request.visitor?.user ?? null);
    await this.oidc.makeAdministrator(user.id, adminEmails);
    await this.signIns.open(request, reply, user, { by: 'provider', at: person.authTime }, { isNewAccount });
    return returnTo;
  }

  /**
   * Returns the user's account. Links or creates it if necessary.
   *
   * @param visitor User who is signed in to this browser.
   * @throws {RejectedSignIn} if the user isn't allowed to sign in.
   */
  private async findOrCreateAccount(
    { subject, email, isVerified, name }: OidcPerson,
    returnTo: string,
    visitor: SessionUser | null,
  ): Promise<{ user: User; isNewAccount: boolean }> {
    const linkedUser = await this.oidc.find(subject);
    // Accounts are linked by the provider's user ID, so users can still sign in after their email address changes.
    if (linkedUser !== null) return { user: linkedUser, isNewAccount: false };
    if (email === null) throw new RejectedSignIn('email_missing');
    if (!isVerified) throw new RejectedSignIn('email_not_verified');
    const identity = { subject, email, name };
    const owner = await this.oidc.findByEmail(email);
    if (owner !== null) {
      const isConfirmedHere = visitor !== null && visitor.id === owner.id && isConfirmed(visitor);
      const outcome = await this.oidc.link(owner.id, identity, isConfirmedHere);
      if (outcome !== 'linked') throw new RejectedSignIn(outcome);
      return { user: owner, isNewAccount: false };
    }
    if (!(await this.canSignUp(email, returnTo))) throw new RejectedSignIn('not_invited');
    const user = await this.oidc.create(identity);
    if (user === null) throw new Error('another request created an account with the same email address');
    return { user, isNewAccount: true };
  }

  /** Returns the error code for the sign-in page. It never contains text from the provider. */
  private toRejectionReason(error: unknown, isConfirming: boolean): SignInError {
    if (error instanceof RejectedSignIn) return error.reason;
    const { code, error: answer } = error as { code?: unknown; error?: unknown };
    if (answer === 'access_denied') return 'cancelled';
    this.logger.warn({ err: error }, 'failed to sign in a user with the OpenID provider');
    if (code === 'OAUTH_TIMEOUT') return 'provider_unreachable';
    // While an identity is being confirmed, the response is usually invalid because its `auth_time` is too old or isn't
    // a number.
    return isConfirming && code === 'OAUTH_INVALID_RESPONSE' ? 'not_confirmed' : 'failed';
  }

  private async canSignUp(email: string, returnTo: string): Promise<boolean> {
    const { adminEmails, signUp } = this.settings.oidc!;
    if (signUp || adminEmails.includes(email.toLowerCase())) return true;
    const token = /^\/invitations\/(\w+)$/.exec(returnTo)?.[1];
    return token !== undefined && (await this.invitations.find(token)) !== null;
  }

  private configuration(): Promise<Configuration> {
    if (this.settings.oidc === null) throw notFound('OpenID provider');
    // Discovery is retried on the next request after a failure.
    this.configurationPromise ??= discoverProvider(this.settings.oidc).catch((error: unknown) => {
      this.configurationPromise = null;
      throw error;
    });
    return this.configurationPromise;
  }
}

const isEqual = (actual: string | null, expected: string): boolean =>
  actual !== null && timingSafeEqual(hashCredential(actual), hashCredential(expected));
