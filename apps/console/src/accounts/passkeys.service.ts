import { Inject, Injectable } from '@nestjs/common';
import { MAX_PASSKEYS, type NewPasskey, type Passkey, type PasskeySignIn, type User } from '#libs/contracts';
import { ProblemError, unauthorized } from '#libs/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PasskeyCookie } from '../access/pending-cookie.js';
import type { SessionUser } from '../access/principal.js';
import { PUBLIC_URL } from '../public-url.js';
import { CHALLENGE_SECONDS, PasskeysRepository } from './passkeys.repository.js';
import { toRelyingParty, type RelyingParty } from './relying-party.js';

/**
 * COSE identifiers of EdDSA, ES256 and RS256. The library's default also includes ML-DSA-44, which is experimental in
 * Node.js.
 */
const ALGORITHMS = [-8, -7, -257];

type Options = Record<string, unknown>;

/**
 * Registers passkeys and signs users in with them (WebAuthn Level 3). User verification is required, so a passkey
 * counts as two factors: the device, plus a fingerprint, face or PIN.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeysRepository,
    private readonly cookie: PasskeyCookie,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /**
   * Creates a registration challenge and sets its cookie.
   *
   * @throws {ProblemError} 409 if the host doesn't support passkeys.
   */
  async beginRegistration(request: FastifyRequest, reply: FastifyReply, user: SessionUser): Promise<Options> {
    const { id: rpID } = this.relyingParty(request);
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const options = await generateRegistrationOptions({
      rpName: 'Agent Traffic',
      supportedAlgorithmIDs: ALGORITHMS,
      rpID,
      userName: user.email,
      userDisplayName: user.name,
      userID: new Uint8Array(toUserHandle(user)),
      excludeCredentials: (await this.passkeys.listCredentialIds(user.id)).map((id) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return this.issueChallenge(reply, options, user.id);
  }

  /**
   * Verifies the device's response and stores the new passkey.
   *
   * @throws {ProblemError} 409 if the response is invalid or late, or if the passkey can't be added.
   */
  async register(request: FastifyRequest, user: SessionUser, { name, credential }: NewPasskey): Promise<Passkey> {
    const { id: rpId, origin } = this.relyingParty(request);
    const expectedChallenge = await this.takeChallenge(request, user.id);
    if (expectedChallenge === null) throw invalidResponse();
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const { registrationInfo: registration } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      supportedAlgorithmIDs: ALGORITHMS,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
    }).catch(() => ({ registrationInfo: undefined }));
    if (registration === undefined) throw invalidResponse();
    const { id: credentialId, publicKey, counter: uses } = registration.credential;
    const added = await this.passkeys.add(user, { name, credentialId, publicKey, rpId, uses });
    if (added === 'full')
      throw new ProblemError('conflict', `You already have ${MAX_PASSKEYS} passkeys. Remove one first.`);
    if (added === 'known') throw new ProblemError('conflict', 'This passkey is already registered.');
    return added;
  }

  /**
   * Creates a sign-in challenge and sets its cookie.
   *
   * @throws {ProblemError} 409 if the host doesn't support passkeys.
   */
  async beginSignIn(request: FastifyRequest, reply: FastifyReply): Promise<Options> {
    const { id: rpID } = this.relyingParty(request);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return this.issueChallenge(
      reply,
      await generateAuthenticationOptions({ rpID, userVerification: 'required' }),
      null,
    );
  }

  /**
   * Verifies a sign-in response and returns the passkey's owner.
   *
   * @throws {ProblemError} 401 with the same text for every cause.
   */
  async verifySignIn(request: FastifyRequest, { credential }: PasskeySignIn): Promise<User> {
    const { id: rpId, origin } = this.relyingParty(request);
    const expectedChallenge = await this.takeChallenge(request, null);
    const passkey = await this.passkeys.find(credential.id);
    if (expectedChallenge === null || passkey === null || passkey.rpId !== rpId) throw passkeyRejected();
    const { userHandle } = credential.response;
    if (userHandle !== undefined && userHandle !== toUserHandle(passkey.user).toString('base64url'))
      throw passkeyRejected();
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.uses },
    }).catch(() => ({ verified: false, authenticationInfo: null }));
    if (!verified || authenticationInfo === null) throw passkeyRejected();
    if (!(await this.passkeys.recordUse(passkey.id, authenticationInfo.newCounter))) throw passkeyRejected();
    return passkey.user;
  }

  private async issueChallenge<O extends { challenge: string }>(
    reply: FastifyReply,
    options: O,
    userId: string | null,
  ) {
    const token = await this.passkeys.storeChallenge(options.challenge, userId);
    void reply.header('set-cookie', this.cookie.issue(token, CHALLENGE_SECONDS)).header('cache-control', 'no-store');
    return options as O & Options;
  }

  private async takeChallenge(request: FastifyRequest, userId: string | null): Promise<string | null> {
    const token = this.cookie.readToken(request.headers.cookie);
    return token === null ? null : this.passkeys.takeChallenge(token, userId);
  }

  private relyingParty(request: FastifyRequest): RelyingParty {
    const party = toRelyingParty(request, this.publicUrl);
    if (party !== null) return party;
    throw new ProblemError('conflict', 'Passkeys require HTTPS and a host name, or http://localhost.');
  }
}

/** Returns the user handle that devices store. It is the account ID, which contains no personal data. */
const toUserHandle = ({ id }: { id: string }): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const invalidResponse = (): ProblemError =>
  new ProblemError('conflict', 'The device took too long or returned an invalid response. Try again.');

const passkeyRejected = (): ProblemError =>
  unauthorized('This passkey was not accepted. Try again, or sign in with your password.');
