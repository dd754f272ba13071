import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import {
  resolveClientAddress,
  identify,
  normalizeHeaders,
  validateProjectProxies,
  parseKeySet,
  type EvidenceSources,
  type Identification,
  type ProjectProxies,
  type VerificationKey,
} from '#libs/agents';
import { getBundledCatalog, compileCatalog } from '#libs/catalog';
import { measureCostRatio } from './kit/cost.js';
import { COSTLY_HEADERS, hostileHeaders } from './hostile/headers.js';

/**
 * Maximum cost of processing any headers, as a multiple of {@link splitIntoLines}. Quadratic work on 100 KiB would cost
 * thousands.
 */
const MAX_RATIO = 10;
const LINES = '\n'.repeat(100 * 1_024);
/** Baseline for comparison. It uses none of our code, so that a regression can't slow it down as well. */
const splitIntoLines = (): string =>
  LINES.split('\n')
    .map((line) => `${line.trim()} `)
    .join('');
/** Maximum number of signature checks per request. This is `MAX_WORK` Ed25519 checks plus one per label. */
const MAX_CHECKS = 64;
const SETTINGS: ProjectProxies[] = [
  {},
  { hops: 2 },
  { mode: 'none' },
  { header: 'X-Real-IP' },
  { header: 'Forwarded' },
];

const NOW = Date.parse('2026-11-21T08:00:00Z');
const KEYS = parseKeySet({ keys: [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })] });
let checks = 0;
const [REAL_KEY] = [...KEYS.values()];
const KEY: VerificationKey = {
  ...REAL_KEY!,
  verify(base, signature) {
    checks += 1;
    return REAL_KEY!.verify(base, signature);
  },
};
/** Responds to every lookup with data that is expensive to process. */
const SOURCES: EvidenceSources = {
  directories: { find: () => ({ key: KEY }) },
  dns: {
    hostNames: () => ({ values: Array<string>(1_000).fill(`${'a'.repeat(60)}.googlebot.com`) }),
    addresses: () => ({ values: Array<string>(1_000).fill('192.0.2.1') }),
  },
};

/** Matchers cache their results, so use a catalog that hasn't processed the text yet for each attempt. */
const catalogs = [1, 2, 3, 4, 5].map(() => compileCatalog(getBundledCatalog()));

function identifyHeaders(raw: Record<string, unknown>, proxies: ProjectProxies, catalog = catalogs[0]!) {
  const headers = normalizeHeaders(raw);
  const address = resolveClientAddress(headers, proxies, catalog.proxyNetworks);
  const context = { catalog, clientAddress: address, sources: SOURCES, hostNames: [], allowTestKeys: true, now: NOW };
  return identify({ headers, method: null, path: null, at: NOW }, context) as Identification;
}

/** Returns the cost as a multiple of {@link splitIntoLines}. Stops measuring when the cost is within the limit. */
async function measureCost(raw: Record<string, unknown>, proxies: ProjectProxies): Promise<number> {
  let attempt = 0;
  const next = () => catalogs[attempt++ % catalogs.length];
  return measureCostRatio(() => identifyHeaders(raw, proxies, next()), splitIntoLines, MAX_RATIO);
}

describe('identification with hostile headers', () => {
  it('handles any headers without errors, high cost, or prototype pollution', async () => {
    await fc.assert(
      fc.asyncProperty(hostileHeaders, fc.constantFrom(...SETTINGS), async (raw, proxies) => {
        expect(await measureCost(raw, proxies)).toBeLessThanOrEqual(MAX_RATIO);
        const headers = normalizeHeaders(raw);
        expect(Object.getPrototypeOf(headers)).toBeNull();
        expect(Object.values(headers).filter((value) => typeof value !== 'string')).toEqual([]);
        expect(identifyHeaders(raw, proxies).result).not.toBe('verified');
      }),
      { numRuns: 500 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each(COSTLY_HEADERS)('limits the cost of hostile headers ($name)', async ({ headers }) => {
    for (const proxies of SETTINGS) expect(await measureCost(headers, proxies)).toBeLessThanOrEqual(MAX_RATIO);
  });

  it('limits the cost of many signatures that all have to be checked', async () => {
    const seconds = NOW / 1_000;
    const labels = Array.from({ length: 200 }, (_, index) => `s${index}`);
    const covered = '("@authority" "@method" "@scheme" "signature-agent")';
    const parameters = `created=${seconds};expires=${seconds + 60};keyid="${[...KEYS.keys()][0]}";tag="web-bot-auth"`;
    const headers = {
      host: 'site.example',
      ':path': '/',
      'signature-agent': '"https://chatgpt.com"',
      'signature-input': labels.map((label) => `${label}=${covered};${parameters}`).join(', '),
      signature: labels.map((label) => `${label}=:${Buffer.alloc(64, 1).toString('base64')}:`).join(', '),
    };
    expect(await measureCost(headers, {})).toBeLessThanOrEqual(MAX_RATIO);
    checks = 0;
    identifyHeaders(headers, {});
    expect(checks).toBeLessThanOrEqual(MAX_CHECKS);
    const fewSignatures = { ...headers, 'signature-input': '', signature: '' };
    for (const [count, reason] of [
      [1, 'bad_signature'],
      [2, 'bad_signature'],
      // There are too many signatures to check within the limit, so the result is undecided rather than failed.
      [8, 'component_unavailable'],
    ] as const) {
      fewSignatures['signature-input'] = headers['signature-input'].split(', ').slice(0, count).join(', ');
      fewSignatures.signature = headers.signature.split(', ').slice(0, count).join(', ');
      checks = 0;
      expect(identifyHeaders(fewSignatures, {}).reason).toBe(reason);
      expect(checks).toBeGreaterThanOrEqual(count);
      expect(checks).toBeLessThanOrEqual(MAX_CHECKS);
    }
  });

  it('treats prototype member names as ordinary header names', () => {
    const raw = JSON.parse('{"__proto__":"GPTBot","constructor":{"prototype":{}},"toString":"x"}') as object;
    expect(identifyHeaders({ ...raw, 'User-Agent': 'GPTBot/1.2' }, {}).agent_token).toBe('GPTBot');
    expect(identifyHeaders(raw as Record<string, unknown>, {}).result).toBe('unknown_agent');
  });
});

describe('validation of hostile proxy settings', () => {
  it('returns a list of errors for any input and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), hostileHeaders), (settings) => {
        expect(Array.isArray(validateProjectProxies(settings))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
