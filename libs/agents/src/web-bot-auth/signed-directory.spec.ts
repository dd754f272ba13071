import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { normalizeHeaders } from '../headers.js';
import { getSigningKeyIds, type FetchedDirectory } from '../../../../test/kit/directory-signatures.js';
import { parseKeySet } from './key-set.js';
import { createSignedDirectory } from './signed-directory.js';
import { getKeyId } from './signed-request.js';

interface Vector {
  id: string;
  request: { url: string };
  response: { headers: Record<string, string>; body: string };
  expected: string;
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  directory_response: Vector[];
};

function fetchedDirectory(
  authority: string,
  headers: Record<string, string>,
  body: string,
  at: number,
): FetchedDirectory {
  return { authority, headers: normalizeHeaders(headers), body, keys: parseKeySet(body), at };
}

describe('provenKeys', () => {
  it.each(vectors.directory_response)('$id: $expected', ({ request, response, expected }) => {
    const { host } = new URL(request.url);
    const proven = getSigningKeyIds(fetchedDirectory(host, response.headers, response.body, 1_735_689_660_000));
    expect([...proven]).toEqual(
      expected.startsWith('possession proof valid') ? ['poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'] : [],
    );
  });
});

describe('createSignedDirectory', () => {
  const at = 1_800_000_000_000;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const otherKeys = generateKeyPairSync('ed25519');
  const { body, headers } = createSignedDirectory(
    [publicKey, otherKeys.privateKey],
    'bot.example:8443',
    privateKey,
    at,
  );

  it('publishes only public keys', () => {
    expect([...parseKeySet(body).keys()]).toEqual([getKeyId(publicKey), getKeyId(otherKeys.publicKey)]);
    expect(body).not.toContain('"d"');
    expect((JSON.parse(body) as { keys: { kid: string }[] }).keys[0]!.kid).toBe(getKeyId(privateKey));
    expect(headers['content-type']).toBe('application/http-message-signatures-directory+json');
  });

  it('proves possession of its key only for the same host, time and content', () => {
    const proven = (changes: Partial<FetchedDirectory>) => [
      ...getSigningKeyIds({ ...fetchedDirectory('bot.example:8443', headers, body, at), ...changes }),
    ];
    expect(proven({})).toEqual([getKeyId(publicKey)]);
    expect(proven({ authority: 'bot.example' })).toEqual([]);
    expect(proven({ body: `${body} ` })).toEqual([]);
    expect(proven({ at: at - 60_000 })).toEqual([]);
    expect(proven({ at: at + 86_400_000 + 60_000 })).toEqual([]);
    expect(proven({ keys: parseKeySet(otherKeys.publicKey.export({ format: 'jwk' })) })).toEqual([]);
    expect(proven({ headers: normalizeHeaders({ ...headers, 'content-digest': 'md5=:AA==:' }) })).toEqual([]);
    expect(proven({ headers: normalizeHeaders({ ...headers, 'content-digest': '"' }) })).toEqual([]);
    expect(proven({ headers: normalizeHeaders({}) })).toEqual([]);
  });

  it('throws a TypeError unless the key is a private Ed25519 key', () => {
    const ecKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => createSignedDirectory([publicKey], 'bot.example', ecKeys.privateKey, at)).toThrow(TypeError);
    expect(() => createSignedDirectory([publicKey], 'bot.example', publicKey, at)).toThrow(TypeError);
  });
});
