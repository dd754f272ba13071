/**
 * Measures the judging of Web Bot Auth signatures with keys at hand, against a bare Ed25519 check of the same bytes.
 * After a build: `node test/bench/signature.bench.ts`. Every request has a signature of its own; both take turns on the same
 * ones, so that a busy machine slows both.
 */
import { generateKeyPairSync, verify } from 'node:crypto';
import {
  normalizeHeaders,
  readKeySet,
  webBotAuth,
  webBotAuthSignature,
  type AgentDefinition,
  type ObservedRequest,
  type WebBotAuthContext,
  type WebBotAuthVerdict,
} from '#libs/agents';

const REQUESTS = 500;
const ROUNDS = 40;
const GOAL = 0.6;

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const keys = readKeySet(publicKey.export({ format: 'jwk' }));
const at = Date.now();
const agent = { id: 'bench', token: 'Bench' } as AgentDefinition;
const context: WebBotAuthContext = {
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

const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0';
const requests = Array.from({ length: REQUESTS }, (_, index): ObservedRequest => {
  const path = `/products/${index}`;
  const headers = webBotAuthSignature({
    url: `https://shop.example${path}`,
    method: 'GET',
    key: privateKey,
    signatureAgent: 'https://agent.example',
    now: at,
    lifetime: 300,
  });
  return {
    headers: normalizeHeaders({ host: 'shop.example', 'user-agent': userAgent, accept: '*/*', ...headers }),
    method: 'GET',
    path,
    at,
  };
});
const unsigned = requests.map(({ headers, ...request }) => {
  const { host, accept, 'user-agent': name } = headers;
  return { ...request, headers: normalizeHeaders({ host, accept, 'user-agent': name }) };
});

/** What the signature is over: the signer's own words, put together by hand. */
const bare = requests.map(({ headers, method, path }) => {
  const lines = [
    `"@authority": ${headers['host']}`,
    `"@method": ${method}`,
    `"@path": ${path}`,
    `"signature-agent";key="sig1": "https://agent.example"`,
    `"@signature-params": ${headers['signature-input']!.slice('sig1='.length)}`,
  ];
  const signature = Buffer.from(headers['signature']!.slice('sig1=:'.length, -1), 'base64');
  return { base: Buffer.from(lines.join('\n'), 'latin1'), signature };
});

/** Microseconds for one; the texts are made anew, as they come with requests. */
function measure<T>(inputs: T[], run: (input: T) => boolean): number {
  const start = performance.now();
  for (const input of inputs) if (!run(input)) throw new Error('Not as it was to be');
  return ((performance.now() - start) * 1_000) / inputs.length;
}

const isVerified = (request: ObservedRequest) =>
  (webBotAuth(request, context) as WebBotAuthVerdict).outcome === 'verified';
const json = JSON.stringify(requests);
const times = { whole: [] as number[], bare: [] as number[], unsigned: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  const fresh = (JSON.parse(json) as ObservedRequest[]).map((request) => ({
    ...request,
    headers: normalizeHeaders(request.headers),
  }));
  times.whole.push(measure(fresh, isVerified));
  times.bare.push(measure(bare, ({ base, signature }) => verify(null, base, publicKey, signature)));
  times.unsigned.push(measure(unsigned, (request) => !isVerified(request)));
}

const [whole, check, none] = [times.whole, times.bare, times.unsigned].map(median) as [number, number, number];

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

console.log(`${REQUESTS} signed requests, median of ${ROUNDS} rounds`);
console.log(`bare check           ${check.toFixed(1).padStart(8)} µs`);
console.log(`webBotAuth           ${whole.toFixed(1).padStart(8)} µs`);
console.log(`without signature    ${(none * 1_000).toFixed(1).padStart(8)} ns`);
console.log(`rate against a bare check: ${(check / whole).toFixed(2)} (goal ${GOAL})`);
