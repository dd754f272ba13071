import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { httpbis } from 'http-message-signatures';
import { signatureHeaders } from 'web-bot-auth';
import { signerFromJWK } from 'web-bot-auth/crypto';
import { createContext } from '../../../../test/kit/signed-requests.js';
import { normalizeHeaders } from '../headers.js';
import { parseKeySet } from './key-set.js';
import type { VerificationKey } from './verification-key.js';
import { verifyWebBotAuth } from './web-bot-auth.js';

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  keys: Record<string, { private: JsonWebKey }>;
};

interface KeyPair {
  verification: VerificationKey;
  sign: (data: Buffer) => Buffer;
}

function pair(privateKey: KeyObject): KeyPair {
  const [verification] = [...parseKeySet(createPublicKey(privateKey).export({ format: 'jwk' })).values()];
  const padding = { padding: 6, saltLength: 64 };
  const signers: Record<string, (data: Buffer) => Buffer> = {
    ed25519: (data) => sign(null, data, privateKey),
    'rsa-pss-sha512': (data) => sign('sha512', data, { key: privateKey, ...padding }),
    'ecdsa-p256-sha256': (data) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    'ecdsa-p384-sha384': (data) => sign('sha384', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  };
  return { verification: verification!, sign: signers[verification!.algorithm]! };
}

const loadVectorKeyPair = (name: string) => pair(createPrivateKey({ key: vectors.keys[name]!.private, format: 'jwk' }));
const keyPairs = [
  pair(generateKeyPairSync('ed25519').privateKey),
  pair(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
  loadVectorKeyPair('test-key-ecc-p256'),
  loadVectorKeyPair('test-key-rsa-pss'),
];

interface Message {
  method: string;
  url: string;
  headers: Record<string, string>;
}

async function isAcceptedByPeer(message: Message, { verification }: KeyPair): Promise<boolean> {
  try {
    const verify = async (data: Buffer, signature: Buffer) => verification.verify(data.toString('latin1'), signature);
    const keyLookup = async () => ({ algs: [verification.algorithm], verify });
    return (await httpbis.verifyMessage({ keyLookup, tolerance: 30 }, message)) === true;
  } catch {
    return false;
  }
}

function isAccepted({ method, url, headers }: Message, { verification }: KeyPair, at: number): boolean {
  const { host, pathname, search, protocol } = new URL(url);
  const observed = { ...headers, ':authority': host, ':scheme': protocol.slice(0, -1), ':path': pathname + search };
  const find = () => ({ key: verification });
  const verdict = verifyWebBotAuth(
    { headers: normalizeHeaders(observed), method, path: null, at },
    createContext({ allowTestKeys: true, directories: { find } }),
  );
  return !(verdict instanceof Promise) && verdict.outcome === 'verified';
}

const fieldName = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const query = fc.uniqueArray(fc.tuple(fieldName, fc.stringMatching(/^(?:[a-z0-9_.+-]|%20|%C3%A9|%2F){0,6}$/)), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: 3,
});
const message = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT'),
  scheme: fc.constantFrom('https', 'http'),
  host: fc.constantFrom('shop.example', 'Shop.Example:8443', 'shop.example:80', 'shop.example:443'),
  path: fc.stringMatching(/^(?:\/(?:[a-zA-Z0-9_~-]|%2F|%C3%A9){0,5}){1,3}$/),
  query,
  text: fc.stringMatching(/^[!-~](?:[ -~]{0,20}[!-~])?$/),
  dictionary: fc.dictionary(fieldName, fc.oneof(fc.integer(), fc.constant('("a"  b);q'), fc.constant('?1;x="y"')), {
    minKeys: 1,
    maxKeys: 3,
  }),
});
const OPTIONAL_COMPONENTS = [
  '@method',
  '@path',
  '@query',
  '@scheme',
  '@target-uri',
  '@request-target',
  'x-text',
  'x-text;bs',
  'x-dict',
  'x-dict;sf',
];

/** Kinds of modifications in transit. `same` leaves the message unchanged. */
const corruption = fc.constantFrom(
  'same',
  'same',
  'method',
  'path',
  'query',
  'text',
  'dictionary',
  'signature',
  'input',
  'spaces',
);

function corrupt(original: Message, kind: string, at: number): Message {
  const changed = { ...original, headers: { ...original.headers } };
  const flip = (name: string) => {
    const key = Object.keys(changed.headers).find((other) => other.toLowerCase() === name)!;
    const text = changed.headers[key]!;
    const index = at % text.length;
    changed.headers[key] = text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
  };
  if (kind === 'method') changed.method = 'PATCH';
  if (kind === 'path') changed.url = changed.url.replace('?', 'x?');
  if (kind === 'query') changed.url += 'x';
  if (kind === 'text') flip('x-text');
  if (kind === 'dictionary') flip('x-dict');
  if (kind === 'signature') flip('signature');
  if (kind === 'input') flip('signature-input');
  if (kind === 'spaces') changed.headers['x-dict'] = changed.headers['x-dict']!.replace(', ', ',   ');
  return changed;
}

describe('verifyWebBotAuth compared with http-message-signatures', () => {
  it('returns the same verdict for valid and corrupted requests', async () => {
    const counts = { valid: 0, invalid: 0 };
    const coverageArbitrary = fc.record({
      fields: fc.subarray(OPTIONAL_COMPONENTS),
      withMember: fc.boolean(),
      withParameter: fc.boolean(),
      target: fc.constantFrom('@authority', '@target-uri'),
    });
    await fc.assert(
      fc.asyncProperty(
        message,
        coverageArbitrary,
        fc.constantFrom(...keyPairs),
        corruption,
        fc.nat(400),
        async (parts, coverage, key, kind, at) => {
          const now = Math.floor(Date.now() / 1_000);
          const member = Object.keys(parts.dictionary)[0]!;
          const fields = new Set([
            coverage.target,
            'signature-agent;key="sig1"',
            ...coverage.fields,
            ...(coverage.withMember ? [`x-dict;key="${member}"`] : []),
            ...(coverage.withParameter ? [`@query-param;name="${parts.query[0]![0]}"`] : []),
          ]);
          const unsigned: Message = {
            method: parts.method,
            url: new URL(
              `${parts.scheme}://${parts.host}${parts.path}?${parts.query.map((pair) => pair.join('=')).join('&')}`,
            ).href,
            headers: {
              'x-text': parts.text,
              'x-dict': Object.entries(parts.dictionary)
                .map((entry) => entry.join('='))
                .join(', '),
              'signature-agent': 'sig1="https://one.test"',
            },
          };
          const signed = (await httpbis.signMessage(
            {
              key: { id: key.verification.id, alg: key.verification.algorithm, sign: async (data) => key.sign(data) },
              name: 'sig1',
              fields: [...fields],
              params: ['created', 'expires', 'keyid', 'alg', 'tag'],
              paramValues: {
                tag: 'web-bot-auth',
                created: new Date(now * 1_000),
                expires: new Date((now + 60) * 1_000),
              },
            },
            unsigned,
          )) as Message;
          const received = corrupt(signed, kind, at);
          const isAcceptedByUs = isAccepted(received, key, now * 1_000);
          expect([received, isAcceptedByUs]).toEqual([received, await isAcceptedByPeer(received, key)]);
          if (kind === 'same') expect(isAcceptedByUs).toBe(true);
          counts[isAcceptedByUs ? 'valid' : 'invalid']++;
        },
      ),
      { numRuns: 400 },
    );
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(50);
  });
});

describe('verifyWebBotAuth with requests signed by the web-bot-auth package', () => {
  it.each(['test-key-ed25519', 'test-key-rsa-pss'])('accepts requests signed with %s', async (name) => {
    const now = Date.now();
    const headers = { host: 'shop.example', 'signature-agent': '"https://one.test"' };
    const { private: jwk } = vectors.keys[name]!;
    const fields = await signatureHeaders(
      { method: 'GET', url: 'https://shop.example/', headers },
      await signerFromJWK({ ...jwk, alg: jwk.kty === 'RSA' ? 'PS512' : 'EdDSA' }),
      { created: new Date(now), expires: new Date(now + 60_000) },
    );
    const received = {
      method: 'GET',
      url: 'https://shop.example/',
      headers: { ...headers, signature: fields['Signature'], 'signature-input': fields['Signature-Input'] },
    };
    expect(isAccepted(received, loadVectorKeyPair(name), now)).toBe(true);
    expect(isAccepted({ ...received, url: 'https://other.example/' }, loadVectorKeyPair(name), now)).toBe(false);
  });
});
