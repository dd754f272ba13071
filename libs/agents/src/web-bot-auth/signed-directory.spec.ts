import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { normalizeHeaders } from '../headers.js';
import { provenKeys, type FetchedDirectory } from '../../../../test/kit/directory-proof.js';
import { readKeySet } from './key-set.js';
import { signedDirectory } from './signed-directory.js';
import { keyIdOf } from './signed-request.js';

interface Vector {
  id: string;
  request: { url: string };
  response: { headers: Record<string, string>; body: string };
  expected: string;
}

const vectors = JSON.parse(readFileSync(new URL('../../vectors/web-bot-auth.json', import.meta.url), 'utf8')) as {
  directory_response: Vector[];
};

function fetched(authority: string, headers: Record<string, string>, body: string, at: number): FetchedDirectory {
  return { authority, headers: normalizeHeaders(headers), body, keys: readKeySet(body), at };
}

describe('provenKeys', () => {
  it.each(vectors.directory_response)('$id: $expected', ({ request, response, expected }) => {
    const { host } = new URL(request.url);
    const proven = provenKeys(fetched(host, response.headers, response.body, 1_735_689_660_000));
    expect([...proven]).toEqual(
      expected.startsWith('possession proof valid') ? ['poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'] : [],
    );
  });
});

describe('signedDirectory', () => {
  const at = 1_800_000_000_000;
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const { body, headers } = signedDirectory([publicKey, other.privateKey], 'bot.example:8443', privateKey, at);

  it('publishes only public keys', () => {
    expect([...readKeySet(body).keys()]).toEqual([keyIdOf(publicKey), keyIdOf(other.publicKey)]);
    expect(body).not.toContain('"d"');
    expect((JSON.parse(body) as { keys: { kid: string }[] }).keys[0]!.kid).toBe(keyIdOf(privateKey));
    expect(headers['content-type']).toBe('application/http-message-signatures-directory+json');
  });

  it('proves its key for this host, time and content only', () => {
    const proven = (changes: Partial<FetchedDirectory>) => [
      ...provenKeys({ ...fetched('bot.example:8443', headers, body, at), ...changes }),
    ];
    expect(proven({})).toEqual([keyIdOf(publicKey)]);
    expect(proven({ authority: 'bot.example' })).toEqual([]);
    expect(proven({ body: `${body} ` })).toEqual([]);
    expect(proven({ at: at - 60_000 })).toEqual([]);
    expect(proven({ at: at + 86_400_000 + 60_000 })).toEqual([]);
    expect(proven({ keys: readKeySet(other.publicKey.export({ format: 'jwk' })) })).toEqual([]);
    expect(proven({ headers: normalizeHeaders({ ...headers, 'content-digest': 'md5=:AA==:' }) })).toEqual([]);
    expect(proven({ headers: normalizeHeaders({ ...headers, 'content-digest': '"' }) })).toEqual([]);
    expect(proven({ headers: normalizeHeaders({}) })).toEqual([]);
  });

  it('requires a private Ed25519 key', () => {
    const rsa = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => signedDirectory([publicKey], 'bot.example', rsa.privateKey, at)).toThrow(TypeError);
    expect(() => signedDirectory([publicKey], 'bot.example', publicKey, at)).toThrow(TypeError);
  });
});
