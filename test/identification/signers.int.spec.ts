import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signatureHeaders } from 'web-bot-auth';
import { signerFromJWK } from 'web-bot-auth/crypto';
import { App } from '../kit/app.js';

const AGENT = 'https://chatgpt.com';
const keyPairs: [string, { publicKey: KeyObject; privateKey: KeyObject }, string][] = [
  ['Ed25519', generateKeyPairSync('ed25519'), 'EdDSA'],
  ['RSA-PSS', generateKeyPairSync('rsa', { modulusLength: 2_048 }), 'PS512'],
];
let app: App;

beforeAll(async () => {
  const keys = keyPairs.map(([, { publicKey }]) => publicKey.export({ format: 'jwk' }));
  const url = `${AGENT}/.well-known/http-message-signatures-directory`;
  app = await App.start({ pinnedDirectories: [{ url, keys }] });
});
afterAll(() => app.dispose());

async function signRequest(
  key: KeyObject,
  alg: string,
  target: string,
  extra: object = {},
): Promise<Record<string, string>> {
  const request = new Request(target, { headers: { 'signature-agent': JSON.stringify(AGENT), ...extra } });
  const created = new Date();
  const signatureFields = await signatureHeaders(
    request,
    await signerFromJWK({ ...key.export({ format: 'jwk' }), alg } as never),
    {
      created,
      expires: new Date(created.getTime() + 300_000),
    },
  );
  return {
    host: new URL(target).host,
    ...Object.fromEntries(request.headers),
    signature: signatureFields.Signature,
    'signature-input': signatureFields['Signature-Input'],
  };
}

it.each(keyPairs)('verifies requests that web-bot-auth signed with %s', async (_, { privateKey }, alg) => {
  const request_headers = await signRequest(privateKey, alg, 'https://shop.example/basket?x=1');
  const verified = { result: 'verified', agent_token: 'ChatGPT Agent', operator_name: 'OpenAI' };
  expect((await app.post('/agent-identifications', { request_headers })).body).toMatchObject(verified);
  const request = { request_path: '/basket?x=1', request_headers };
  expect((await app.post('/agent-verifications', request)).body).toMatchObject(verified);
  const otherHostHeaders = { ...request_headers, host: 'other.example' };
  expect((await app.post('/agent-identifications', { request_headers: otherHostHeaders })).body).toMatchObject({
    result: 'verification_failed',
    agent_token: 'ChatGPT Agent',
  });
});

it('does not verify a signature whose key is missing from the directory', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const request_headers = await signRequest(privateKey, 'EdDSA', 'https://shop.example/');
  expect((await app.post('/agent-identifications', { request_headers })).body).toMatchObject({
    result: 'not_verifiable',
    agent_token: 'ChatGPT Agent',
  });
});
