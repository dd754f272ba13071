import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Json } from './app.js';
import type { Person } from './person.js';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL_DATA = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64Url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** Values that a dishonest browser or authenticator could send. */
export interface ForgedValues {
  origin?: string;
  type?: string;
  rpId?: string;
  challenge?: string;
  userHandle?: string;
  isUserVerified?: boolean;
  signCount?: number;
  credentialId?: string;
}

/**
 * Simulates an authenticator with one passkey (WebAuthn Level 3, sections 6.1 and 6.5) and the browser in front of it.
 */
export class PasskeyDevice {
  private readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private rpId = 'localhost';
  private userHandle = '';
  signCount = 0;

  constructor(readonly origin = 'http://localhost') {}

  /** Registers a passkey. The person must have signed in recently. */
  static async register(person: Person, name = 'Phone'): Promise<PasskeyDevice> {
    const device = new PasskeyDevice();
    const { options } = (await person.call('POST', '/account/passkeys/options', {})).body;
    const registration = await person.call('POST', '/account/passkeys', {
      name,
      credential: device.createCredential(options),
    });
    expect(registration.status).toBe(201);
    return device;
  }

  createCredential(options: Json, forgedValues: ForgedValues = {}): Json {
    this.rpId = options.rp.id;
    this.userHandle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([
      this.authenticatorData(ATTESTED_CREDENTIAL_DATA, forgedValues),
      Buffer.alloc(16),
      length,
      this.id,
      encodePublicKey(this.keys.publicKey),
    ]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, data.length]),
      data,
    ]);
    return this.credential({
      clientDataJSON: base64Url(this.clientData('webauthn.create', options, forgedValues)),
      attestationObject: base64Url(attestation),
    });
  }

  sign(options: Json, forgedValues: ForgedValues = {}): Json {
    this.signCount += 1;
    const data = this.authenticatorData(0, forgedValues);
    const clientData = this.clientData('webauthn.get', options, forgedValues);
    const credential = this.credential({
      clientDataJSON: base64Url(clientData),
      authenticatorData: base64Url(data),
      signature: base64Url(sign('sha256', Buffer.concat([data, sha256(clientData)]), this.keys.privateKey)),
      userHandle: forgedValues.userHandle ?? this.userHandle,
    });
    return forgedValues.credentialId === undefined ? credential : { ...credential, id: forgedValues.credentialId };
  }

  get credentialId(): string {
    return base64Url(this.id);
  }

  private authenticatorData(
    flags: number,
    { rpId = this.rpId, isUserVerified = true, signCount: uses = this.signCount }: ForgedValues,
  ): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(uses);
    const all = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter]);
  }

  private clientData(type: string, options: Json, forgedValues: ForgedValues): Buffer {
    const { challenge = options.challenge, origin = this.origin } = forgedValues;
    return Buffer.from(JSON.stringify({ type: forgedValues.type ?? type, challenge, origin, crossOrigin: false }));
  }

  private credential(response: Json): Json {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }
}

/** Encodes the public key as a COSE_Key (EC2, ES256, P-256, x, y). */
function encodePublicKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x!, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y!, 'base64url'),
  ]);
}
