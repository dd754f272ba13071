/**
 * Verifies Web Bot Auth signatures with known keys, compared with a bare Ed25519 check of the same bytes. Each request
 * has a different signature.
 *
 * Requires a build. Run with `node test/bench/signature.bench.ts`.
 */
import { generateKeyPairSync, verify } from 'node:crypto';
import type { AgentDefinition, WebBotAuthContext, WebBotAuthVerdict } from '#libs/agents';
import { printRows } from './compare.ts';
import { compareWork, OUR_LIBS, type Libs } from './compare-functions.ts';

const REQUESTS = 500;

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const at = Date.now();
const agent = { id: 'bench', token: 'Bench' } as AgentDefinition;

function createContext({ agents }: Libs): WebBotAuthContext {
  const keys = agents.parseKeySet(publicKey.export({ format: 'jwk' }));
  return {
    directories: {
      find(_url, keyId) {
        const key = keys.get(keyId);
        return key === undefined ? { fault: 'key_not_in_directory' } : { key };
      },
    },
    getAgentByDirectory: () => agent,
    hostNames: ['shop.example'],
    allowTestKeys: false,
    userAgentAgent: null,
  };
}

const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0';
const unsigned = Array.from({ length: REQUESTS }, (_, index) => ({
  index,
  path: `/products/${index}`,
  headers: { host: 'shop.example', 'user-agent': userAgent, accept: '*/*' } as Record<string, string>,
}));
type Request = (typeof unsigned)[number];
const signed = unsigned.map((request): Request => {
  const signature = OUR_LIBS.agents.signWebBotAuthRequest({
    url: `https://shop.example${request.path}`,
    method: 'GET',
    key: privateKey,
    signatureAgent: 'https://agent.example',
    now: at,
    lifetimeSeconds: 300,
  });
  return { ...request, headers: { ...request.headers, ...signature } };
});

/** Signature bases, built independently of the code under test. */
const signatureBases = signed.map(({ path, headers }) => {
  const lines = [
    `"@authority": ${headers['host']}`,
    '"@method": GET',
    `"@path": ${path}`,
    '"signature-agent";key="sig1": "https://agent.example"',
    `"@signature-params": ${headers['signature-input']!.slice('sig1='.length)}`,
  ];
  const signature = Buffer.from(headers['signature']!.slice('sig1=:'.length, -1), 'base64');
  return { base: Buffer.from(lines.join('\n'), 'latin1'), signature };
});

function verifyBare({ index }: Request): true {
  const { base, signature } = signatureBases[index]!;
  if (!verify(null, base, publicKey, signature)) throw new Error('The bare check failed');
  return true;
}

/** @throws {Error} if the verdict is unexpected */
const createVerifier = (isSigned: boolean) => (libs: Libs) => {
  const { agents } = libs;
  const context = createContext(libs);
  return ({ headers, path }: Request): true => {
    const verdict = agents.verifyWebBotAuth(
      { headers: agents.normalizeHeaders(headers), method: 'GET', path, at },
      context,
    );
    if (((verdict as WebBotAuthVerdict).outcome === 'verified') !== isSigned) throw new Error('Unexpected verdict');
    return true;
  };
};

const verifyOurs = createVerifier(true)(OUR_LIBS);
printRows(`${REQUESTS} requests`, [
  ...(await compareWork({
    what: 'signed request',
    unit: 'requests',
    items: signed,
    createFunction: createVerifier(true),
    peers: [{ peer: 'bare check of the same bytes', run: verifyBare, goal: 0.6 }],
  })),
  ...(await compareWork({
    what: 'unsigned request',
    unit: 'requests',
    items: unsigned,
    createFunction: createVerifier(false),
    peers: [{ peer: 'signed request', run: ({ index }) => verifyOurs(signed[index]!) }],
  })),
]);
