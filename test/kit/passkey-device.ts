import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { Json } from './app.js';
import type { Person } from './person.js';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64Url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

/** Values that a dishonest browser or device would send. */
export interface Lies {
  origin?: string;
  type?: string;
  rpId?: string;
  challenge?: string;
  userHandle?: string;
  isUserVerified?: boolean;
  uses?: number;
  credentialId?: string;
}

/** Device with one passkey (WebAuthn Level 3, sections 6.1 and 6.5), including its browser. */
export class PasskeyDevice {
  private readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private rpId = 'localhost';
  private userHandle = '';
  uses = 0;

  constructor(readonly origin = 'http://localhost') {}

  /** Registers a passkey for someone who signed in recently. */
  static async register(person: Person, name = 'Phone'): Promise<PasskeyDevice> {
    const device = new PasskeyDevice();
    const { options } = (await person.call('POST', '/account/passkeys/options', {})).body;
    const made = await person.call('POST', '/account/passkeys', { name, credential: device.make(options) });
    expect(made.status).toBe(201);
    return device;
  }

  make(options: Json, lies: Lies = {}): Json {
    this.rpId = options.rp.id;
    this.userHandle = options.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const data = Buffer.concat([
      this.data(ATTESTED, lies),
      Buffer.alloc(16),
      length,
      this.id,
      publicKeyOf(this.keys.publicKey),
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
      clientDataJSON: base64Url(this.clientData('webauthn.create', options, lies)),
      attestationObject: base64Url(attestation),
    });
  }

  sign(options: Json, lies: Lies = {}): Json {
    this.uses += 1;
    const data = this.data(0, lies);
    const clientData = this.clientData('webauthn.get', options, lies);
    const credential = this.credential({
      clientDataJSON: base64Url(clientData),
      authenticatorData: base64Url(data),
      signature: base64Url(sign('sha256', Buffer.concat([data, sha256(clientData)]), this.keys.privateKey)),
      userHandle: lies.userHandle ?? this.userHandle,
    });
    return lies.credentialId === undefined ? credential : { ...credential, id: lies.credentialId };
  }

  get credentialId(): string {
    return base64Url(this.id);
  }

  private data(flags: number, { rpId = this.rpId, isUserVerified = true, uses = this.uses }: Lies): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(uses);
    const all = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter]);
  }

  private clientData(type: string, options: Json, lies: Lies): Buffer {
    const { challenge = options.challenge, origin = this.origin } = lies;
    return Buffer.from(JSON.stringify({ type: lies.type ?? type, challenge, origin, crossOrigin: false }));
  }

  private credential(response: Json): Json {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }
}

/** Encodes the public key as a COSE_Key: EC2, ES256, P-256, x and y. */
function publicKeyOf(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x!, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y!, 'base64url'),
  ]);
}
