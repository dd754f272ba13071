import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseKeySet } from './key-set.js';
import { computeThumbprint, type Jwk } from './thumbprint.js';

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  keys: Record<string, { thumbprint?: string; public: Jwk; private?: Jwk }>;
  thumbprints: { name: string; jwk: Jwk; thumbprint: string }[];
};

const exportJwk = ({ publicKey }: { publicKey: KeyObject }): Jwk => publicKey.export({ format: 'jwk' }) as Jwk;
const ed25519 = exportJwk(generateKeyPairSync('ed25519'));
const p384 = exportJwk(generateKeyPairSync('ec', { namedCurve: 'P-384' }));
const rsa = vectors.keys['test-key-rsa-pss']!.public;

describe('computeThumbprint', () => {
  it.each(vectors.thumbprints.map((vector) => [vector.name, vector] as const))(
    'computes the thumbprint in test vector %s',
    (_name, vector) => {
      expect(computeThumbprint(vector.jwk)).toBe(vector.thumbprint);
    },
  );

  it.each(Object.entries(vectors.keys).filter(([, key]) => key.thumbprint !== undefined))(
    'matches the thumbprint of %s',
    (_name, key) => {
      expect(computeThumbprint(key.public)).toBe(key.thumbprint);
    },
  );

  it.each([{ kty: 'oct', k: 'AAAA' }, { kty: 'OKP', crv: 'Ed25519' }, { kty: 'EC', crv: 'P-256', x: 'a', y: 1 }, {}])(
    'rejects the key %j',
    (jwk) => {
      expect(() => computeThumbprint(jwk)).toThrow(TypeError);
    },
  );
});

describe('parseKeySet', () => {
  it.each([
    '<html></html>',
    '',
    '[]',
    'null',
    '1',
    '{}',
    '{"keys":{}}',
    '{"keys":"x"}',
    '{"kty":1}',
    undefined,
    [ed25519],
  ])('rejects the key set %j', (body) => {
    expect(() => parseKeySet(body)).toThrow(/^A key set must/);
    expect(() => parseKeySet(body)).toThrow(SyntaxError);
  });

  it('accepts key sets and single keys, as JSON text or parsed JSON', () => {
    const id = computeThumbprint(ed25519);
    for (const body of [
      ed25519,
      { keys: [ed25519] },
      JSON.stringify(ed25519),
      JSON.stringify({ keys: [ed25519], a: 1 }),
    ]) {
      expect([...parseKeySet(body).keys()]).toEqual([id]);
    }
    expect(parseKeySet({ keys: [] }).size).toBe(0);
  });

  it('derives the algorithm from the key and ignores kid and alg', () => {
    const keys = [ed25519, vectors.keys['test-key-ecc-p256']!.public, p384, rsa];
    const set = parseKeySet({ keys: keys.map((jwk) => ({ ...jwk, kid: 'x', alg: 'RS256' })) });
    expect([...set.values()].map((key) => key.algorithm)).toEqual([
      'ed25519',
      'ecdsa-p256-sha256',
      'ecdsa-p384-sha384',
      'rsa-pss-sha512',
    ]);
    expect([...set.keys()]).toEqual(keys.map(computeThumbprint));
  });

  it('ignores unusable keys in a key set', () => {
    const shortRsaKey = exportJwk(generateKeyPairSync('rsa', { modulusLength: 1024 }));
    const unusable = [
      null,
      'key',
      [],
      {},
      { kty: 'oct', k: 'AAAA' },
      { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' },
      { kty: 'OKP', crv: 'Ed25519', x: 7 },
      { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
      { ...rsa, e: 'AQ' },
      { ...rsa, e: 'AQAAAAAB' },
      { ...ed25519, use: 'enc' },
      { ...ed25519, nbf: 'tomorrow' },
      { ...ed25519, exp: {} },
      generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }),
      exportJwk(generateKeyPairSync('ec', { namedCurve: 'P-521' })),
      exportJwk(generateKeyPairSync('ed448')),
      exportJwk(generateKeyPairSync('x25519')),
      shortRsaKey,
    ];
    expect([...parseKeySet({ keys: [...unusable, p384] }).keys()]).toEqual([computeThumbprint(p384)]);
  });

  it('accepts at most 32 keys in a key set', () => {
    const keys = [...Array.from({ length: 31 }, () => ({})), ed25519, p384];
    expect([...parseKeySet({ keys }).keys()]).toEqual([computeThumbprint(ed25519)]);
  });

  it('parses times in seconds, or in milliseconds if they are too large for seconds', () => {
    const parseTimes = (nbf: unknown, exp?: unknown) => {
      const key = parseKeySet({ ...ed25519, nbf, exp }).get(computeThumbprint(ed25519))!;
      return [key.notBefore, key.expires];
    };
    expect(parseTimes(1_733_011_200, 1_733_011_200_000)).toEqual([1_733_011_200_000, 1_733_011_200_000]);
    expect(parseTimes(null)).toEqual([null, null]);
    expect(parseTimes(1e11, 1e11 + 1)).toEqual([1e14, 1e11 + 1]);
  });

  it('recognizes test keys from RFCs', () => {
    const keys = [...Object.values(vectors.keys), ...vectors.thumbprints.map(({ jwk }) => ({ public: jwk }))];
    const set = parseKeySet({ keys: [...keys.map((key) => key.public), ed25519] });
    expect([...set.values()].map((key) => key.isTestKey)).toEqual([true, true, true, true, true, false]);
  });

  it('computes the same thumbprint for padded and unpadded members', () => {
    const padded = { ...ed25519, x: `${String(ed25519['x'])}=` };
    expect([...parseKeySet({ keys: [padded] }).keys()]).toEqual([computeThumbprint(ed25519)]);
  });
});
