import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readKeySet } from './key-set.js';
import { thumbprint, type Jwk } from './thumbprint.js';

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  keys: Record<string, { thumbprint?: string; public: Jwk; private?: Jwk }>;
  thumbprints: { name: string; jwk: Jwk; thumbprint: string }[];
};

const jwkOf = ({ publicKey }: { publicKey: KeyObject }): Jwk => publicKey.export({ format: 'jwk' }) as Jwk;
const ed25519 = jwkOf(generateKeyPairSync('ed25519'));
const p384 = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }));
const rsa = vectors.keys['test-key-rsa-pss']!.public;

describe('thumbprint', () => {
  it.each(vectors.thumbprints.map((vector) => [vector.name, vector] as const))(
    'matches the vector %s',
    (_name, vector) => {
      expect(thumbprint(vector.jwk)).toBe(vector.thumbprint);
    },
  );

  it.each(Object.entries(vectors.keys).filter(([, key]) => key.thumbprint !== undefined))(
    'matches the test key %s',
    (_name, key) => {
      expect(thumbprint(key.public)).toBe(key.thumbprint);
    },
  );

  it.each([{ kty: 'oct', k: 'AAAA' }, { kty: 'OKP', crv: 'Ed25519' }, { kty: 'EC', crv: 'P-256', x: 'a', y: 1 }, {}])(
    'rejects %j',
    (jwk) => {
      expect(() => thumbprint(jwk)).toThrow(TypeError);
    },
  );
});

describe('readKeySet', () => {
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
  ])('reports the fault of %j', (body) => {
    expect(() => readKeySet(body)).toThrow(/^A key set (?:is|has)/);
    expect(() => readKeySet(body)).toThrow(SyntaxError);
  });

  it('reads sets and single keys, as JSON or already parsed', () => {
    const id = thumbprint(ed25519);
    for (const body of [
      ed25519,
      { keys: [ed25519] },
      JSON.stringify(ed25519),
      JSON.stringify({ keys: [ed25519], a: 1 }),
    ]) {
      expect([...readKeySet(body).keys()]).toEqual([id]);
    }
    expect(readKeySet({ keys: [] }).size).toBe(0);
  });

  it('derives the algorithm from the key and ignores kid and alg', () => {
    const keys = [ed25519, vectors.keys['test-key-ecc-p256']!.public, p384, rsa];
    const set = readKeySet({ keys: keys.map((jwk) => ({ ...jwk, kid: 'x', alg: 'RS256' })) });
    expect([...set.values()].map((key) => key.algorithm)).toEqual([
      'ed25519',
      'ecdsa-p256-sha256',
      'ecdsa-p384-sha384',
      'rsa-pss-sha512',
    ]);
    expect([...set.keys()]).toEqual(keys.map(thumbprint));
  });

  it('ignores unusable keys', () => {
    const short = jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }));
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
      jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-521' })),
      jwkOf(generateKeyPairSync('ed448')),
      jwkOf(generateKeyPairSync('x25519')),
      short,
    ];
    expect([...readKeySet({ keys: [...unusable, p384] }).keys()]).toEqual([thumbprint(p384)]);
  });

  it('reads at most 32 keys', () => {
    const keys = [...Array.from({ length: 31 }, () => ({})), ed25519, p384];
    expect([...readKeySet({ keys }).keys()]).toEqual([thumbprint(ed25519)]);
  });

  it('reads times in seconds, or in milliseconds if they are too large for seconds', () => {
    const read = (nbf: unknown, exp?: unknown) => {
      const key = readKeySet({ ...ed25519, nbf, exp }).get(thumbprint(ed25519))!;
      return [key.notBefore, key.expires];
    };
    expect(read(1_733_011_200, 1_733_011_200_000)).toEqual([1_733_011_200_000, 1_733_011_200_000]);
    expect(read(null)).toEqual([null, null]);
    expect(read(1e11, 1e11 + 1)).toEqual([1e14, 1e11 + 1]);
  });

  it('recognizes the test keys of the RFCs', () => {
    const keys = [...Object.values(vectors.keys), ...vectors.thumbprints.map(({ jwk }) => ({ public: jwk }))];
    const set = readKeySet({ keys: [...keys.map((key) => key.public), ed25519] });
    expect([...set.values()].map((key) => key.isTestKey)).toEqual([true, true, true, true, true, false]);
  });

  it('computes the same thumbprint for padded and unpadded members', () => {
    const padded = { ...ed25519, x: `${String(ed25519['x'])}=` };
    expect([...readKeySet({ keys: [padded] }).keys()]).toEqual([thumbprint(ed25519)]);
  });
});
