import { Inject, Injectable } from '@nestjs/common';
import type { NewPasskey, Passkey, PasskeySignIn, User } from '#libs/contracts';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PasskeyCookie } from '../access/pending-cookie.js';
import type { SessionUser } from '../access/principal.js';
import { PUBLIC_URL } from '../public-url.js';
import { CHALLENGE_SECONDS, PasskeysRepository } from './passkeys.repository.js';
import { relyingPartyOf, type RelyingParty } from './relying-party.js';

/** EdDSA, ES256 and RS256, which devices have (COSE): others the library takes for what Node.js is only trying out. */
const ALGORITHMS = [-8, -7, -257];

/** What a browser is asked, as it is passed on to it. */
type Options = Record<string, unknown>;

/**
 * Registering passkeys, and checking what they sign (WebAuthn Level 3). The device has to make sure who uses it, so that
 * a passkey is two factors: the device, and a finger, face or PIN.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly cookie: PasskeyCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /** Sets the cookie that the answer belongs to. @throws ProblemError 409 where browsers have no passkeys. */
  async beginRegistration(request: FastifyRequest, reply: FastifyReply, user: SessionUser): Promise<Options> {
    const { id: rpID } = this.relyingParty(request);
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: 'Agent Traffic',
      supportedAlgorithmIDs: ALGORITHMS,
      rpID,
      userName: user.email,
      userDisplayName: user.name,
      userID: new Uint8Array(handleOf(user)),
      excludeCredentials: (await this.passkeys.credentialIds(user.id)).map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return this.ask(reply, options, user.id);
  }

  /** @throws ProblemError 409 unless what was asked for comes back from a device that is new here. */
  async register(request: FastifyRequest, user: SessionUser, { name, credential }: NewPasskey): Promise<Passkey> {
    const { id: rpId, origin } = this.relyingParty(request);
    const expectedChallenge = await this.challengeOf(request, user.id);
    if (expectedChallenge === null) throw notAsked();
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      supportedAlgorithmIDs: ALGORITHMS,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
    }).catch(() => ({ registrationInfo: undefined }));
    if (made === undefined) throw notAsked();
    const { id: credentialId, publicKey, counter: uses } = made.credential;
    const added = await this.passkeys.add(user, { name, credentialId, publicKey, rpId, uses });
    if (added === 'full') throw new ProblemError('conflict', 'You have 20 passkeys. Remove one to add another.');
    if (added === 'known') throw new ProblemError('conflict', 'This passkey is registered already.');
    return added;
  }

  /** As {@link beginRegistration}, for somebody who signs in. */
  async beginSignIn(request: FastifyRequest, reply: FastifyReply): Promise<Options> {
    const { id: rpID } = this.relyingParty(request);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return this.ask(reply, await generateAuthenticationOptions({ rpID, userVerification: 'required' }), null);
  }

  /** Returns whose passkey signed. @throws ProblemError 401 whatever is wrong. */
  async signer(request: FastifyRequest, { credential }: PasskeySignIn): Promise<User> {
    const { id: rpId, origin } = this.relyingParty(request);
    const expectedChallenge = await this.challengeOf(request, null);
    const passkey = await this.passkeys.find(credential.id);
    if (expectedChallenge === null || passkey === null || passkey.rpId !== rpId) throw notAccepted();
    const { userHandle } = credential.response;
    if (userHandle !== undefined && userHandle !== handleOf(passkey.user).toString('base64url')) throw notAccepted();
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.uses },
    }).catch(() => ({ verified: false, authenticationInfo: null }));
    if (!verified || authenticationInfo === null) throw notAccepted();
    if (!(await this.passkeys.use(passkey.id, authenticationInfo.newCounter))) throw notAccepted();
    return passkey.user;
  }

  private async ask<O extends { challenge: string }>(reply: FastifyReply, options: O, userId: string | null) {
    const token = await this.passkeys.keepChallenge(options.challenge, userId);
    void reply.header('set-cookie', this.cookie.issue(token, CHALLENGE_SECONDS)).header('cache-control', 'no-store');
    return options as O & Options;
  }

  private async challengeOf(request: FastifyRequest, userId: string | null): Promise<string | null> {
    const token = this.cookie.tokenIn(request.headers.cookie);
    return token === null ? null : this.passkeys.takeChallenge(token, userId);
  }

  private relyingParty(request: FastifyRequest): RelyingParty {
    const party = relyingPartyOf(request, this.publicUrl);
    if (party !== null) return party;
    throw new ProblemError('conflict', 'Passkeys need HTTPS and a host name, or http://localhost.');
  }
}

/** What a device knows an account by: its id, which says nothing of a person. */
const handleOf = ({ id }: { id: string }): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const notAsked = (): ProblemError =>
  new ProblemError('conflict', 'The device took too long, or did not answer what it was asked. Try again.');

const notAccepted = (): ProblemError =>
  unauthorized('This passkey is not accepted. Try again, or sign in with your password.');
