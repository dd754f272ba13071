import { Inject, Injectable } from '@nestjs/common';
import type { NewPasskey, Passkey, PasskeySignIn, User } from '#libs/contracts';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PasskeyCookie } from '../access/pending-cookie.js';
import type { SessionUser } from '../access/principal.js';
import { PUBLIC_URL } from '../public-url.js';
import { CHALLENGE_SECONDS, PasskeysRepository } from './passkeys.repository.js';
import { relyingPartyOf, type RelyingParty } from './relying-party.js';

/** EdDSA, ES256 and RS256 (COSE). The library would add ML-DSA-44, which is experimental in Node.js. */
const ALGORITHMS = [-8, -7, -257];

type Options = Record<string, unknown>;

/**
 * Registration of passkeys and sign-in with them (WebAuthn Level 3). User verification is required, so a passkey counts
 * as two factors: the device, plus a fingerprint, face or PIN.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly cookie: PasskeyCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /** Creates a registration challenge and sets its cookie. @throws ProblemError 409 if the host can't have passkeys. */
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

  /** @throws ProblemError 409 if the response is invalid or late, or the passkey can't be added. */
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

  /** Creates a sign-in challenge and sets its cookie. @throws ProblemError 409 if the host can't have passkeys. */
  async beginSignIn(request: FastifyRequest, reply: FastifyReply): Promise<Options> {
    const { id: rpID } = this.relyingParty(request);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return this.ask(reply, await generateAuthenticationOptions({ rpID, userVerification: 'required' }), null);
  }

  /** Returns the owner of the passkey that signed. @throws ProblemError 401 with the same text for every cause. */
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

/** User handle that devices store: the account ID, which contains no personal data. */
const handleOf = ({ id }: { id: string }): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const notAsked = (): ProblemError =>
  new ProblemError('conflict', 'The device took too long, or did not answer what it was asked. Try again.');

const notAccepted = (): ProblemError =>
  unauthorized('This passkey is not accepted. Try again, or sign in with your password.');
