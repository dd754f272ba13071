/**
 * Verifies Web Bot Auth signatures with known keys, compared with a bare Ed25519 check of the same bytes. Each request
 * has a different signature. After a build, run `node test/bench/signature.bench.ts`.
 */
import { generateKeyPairSync, verify } from 'node:crypto';
import type { AgentDefinition, WebBotAuthContext, WebBotAuthVerdict } from '#libs/agents';
import { printRows } from './compare.ts';
import { compareWork, OURS, type Libs } from './work.ts';

const REQUESTS = 500;

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const at = Date.now();
const agent = { id: 'bench', token: 'Bench' } as AgentDefinition;

function contextOf({ agents }: Libs): WebBotAuthContext {
  const keys = agents.readKeySet(publicKey.export({ format: 'jwk' }));
  return {
    directories: {
      find(_url, keyId) {
        const key = keys.get(keyId);
        return key === undefined ? { fault: 'key_not_in_directory' } : { key };
      },
    },
    agentOfDirectory: () => agent,
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
  const signature = OURS.agents.webBotAuthSignature({
    url: `https://shop.example${request.path}`,
    method: 'GET',
    key: privateKey,
    signatureAgent: 'https://agent.example',
    now: at,
    lifetime: 300,
  });
  return { ...request, headers: { ...request.headers, ...signature } };
});

/** Signature bases, built independently of the code under test. */
const bare = signed.map(({ path, headers }) => {
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

function check({ index }: Request): true {
  const { base, signature } = bare[index]!;
  if (!verify(null, base, publicKey, signature)) throw new Error('the bare check fails');
  return true;
}

/** @throws if the verdict isn't the expected one. */
const judge = (isSigned: boolean) => (libs: Libs) => {
  const { agents } = libs;
  const context = contextOf(libs);
  return ({ headers, path }: Request): true => {
    const verdict = agents.webBotAuth({ headers: agents.normalizeHeaders(headers), method: 'GET', path, at }, context);
    if (((verdict as WebBotAuthVerdict).outcome === 'verified') !== isSigned) throw new Error('judged wrongly');
    return true;
  };
};

const judgeOurs = judge(true)(OURS);
printRows(`${REQUESTS} requests`, [
  ...(await compareWork({
    what: 'a signed request, judged',
    unit: 'requests',
    items: signed,
    of: judge(true),
    peers: [{ peer: 'a bare check of the same bytes', run: check, goal: 0.6 }],
  })),
  ...(await compareWork({
    what: 'a request without a signature, judged',
    unit: 'requests',
    items: unsigned,
    of: judge(false),
    peers: [{ peer: 'a signed one', run: ({ index }) => judgeOurs(signed[index]!) }],
  })),
]);
