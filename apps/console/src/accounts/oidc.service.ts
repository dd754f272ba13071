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

/** Path of the redirect URI. */
const CALLBACK = '/api/session/oidc/callback';
/** By how much the clocks of the provider and this machine may differ. */
const CLOCK_SKEW_SECONDS = 60;

/** A sign-in that opens nothing, with what the sign-in page shows. */
class RefusedSignIn extends Error {
  constructor(readonly reason: SignInRefusal) {
    super(reason);
  }
}

/** Sign-in with the OpenID provider. Signing in with a password works without it. */
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

  /** What the sign-in page shows. */
  get shown(): { name: string } | null {
    return this.settings.oidc && { name: this.settings.oidc.name };
  }

  /** Whether an address signs in with the provider alone. */
  isOnlyWay(email: string): boolean {
    const domain = email.trim().toLowerCase().split('@').at(-1)!;
    return this.settings.oidc?.onlyDomains.includes(domain) ?? false;
  }

  /** @throws ProblemError 403 for an address that signs in with the provider alone. */
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
    const configuration = await this.configuration();
    const state = randomState();
    // Somebody who is signed in confirms that it's them, so a session at the provider is not enough.
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
   * Finishes a sign-in, when the browser comes back.
   *
   * @returns the path of the page to go to, and whether a session was opened.
   * @throws ProblemError 404 without a provider, 503 while it is unavailable.
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

  /** @returns the path of the page to go to. @throws RefusedSignIn or an error of the library. */
  private async signIn(configuration: Configuration, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const answer = new URL(CALLBACK, this.publicUrl);
    answer.search = new URL(request.raw.url ?? '', this.publicUrl).search;
    const { authorization_response_iss_parameter_supported: namesItself, issuer } = configuration.serverMetadata();
    // Checked first (RFC 9207), so that an answer of another provider doesn't end the sign-in.
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

  /** Returns the account that a person opens. @param visitor who is signed in already. @throws RefusedSignIn */
  private async accountOf(
    { subject, email, isVerified, name }: OidcPerson,
    returnTo: string,
    visitor: SessionUser | null,
  ): Promise<{ user: User; isNewAccount: boolean }> {
    const known = await this.oidc.find(subject);
    // Known by the provider's own ID, a person may sign in even after their address changed.
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

  /** Returns the code that the sign-in page shows: never a text of the provider. */
  private refusalOf(error: unknown, isConfirming: boolean): SignInRefusal {
    if (error instanceof RefusedSignIn) return error.reason;
    const { code, error: answer } = error as { code?: unknown; error?: unknown };
    if (answer === 'access_denied') return 'cancelled';
    this.logger.warn({ err: error }, 'a sign-in with the OpenID provider failed');
    if (code === 'OAUTH_TIMEOUT') return 'provider_unreachable';
    // Such as an `auth_time` in words.
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
    // After a failure, the next request tries again.
    this.loaded ??= discoverProvider(this.settings.oidc).catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}

const isEqual = (given: string | null, expected: string): boolean =>
  given !== null && timingSafeEqual(hashCredential(given), hashCredential(expected));
