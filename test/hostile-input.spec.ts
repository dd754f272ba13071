import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import {
  clientAddress,
  identify,
  normalizeHeaders,
  projectProxiesFaults,
  readKeySet,
  type EvidenceSources,
  type Identification,
  type ProjectProxies,
} from '#libs/agents';
import { bundledCatalogue, compileCatalogue } from '#libs/catalogue';
import { COSTLY_HEADERS, hostileHeaders } from './kit/hostile-headers.js';

/** Of this thread's processor time, so that a busy machine doesn't count. */
const MOST_MILLISECONDS = 10;
const SETTINGS: ProjectProxies[] = [
  {},
  { hops: 2 },
  { mode: 'none' },
  { header: 'X-Real-IP' },
  { header: 'Forwarded' },
];

const NOW = Date.parse('2026-11-21T08:00:00Z');
const KEYS = readKeySet({ keys: [generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })] });
/** Whatever is asked has an answer that keeps the engine at work. */
const SOURCES: EvidenceSources = {
  directories: { find: () => ({ key: [...KEYS.values()][0]! }) },
  dns: {
    hostNames: () => ({ values: Array<string>(1_000).fill(`${'a'.repeat(60)}.googlebot.com`) }),
    addresses: () => ({ values: Array<string>(1_000).fill('192.0.2.1') }),
  },
};

/** Matchers remember; each attempt takes another, which has not seen the text. */
const catalogues = [1, 2, 3].map(() => compileCatalogue(bundledCatalogue()));

function judge(raw: Record<string, unknown>, proxies: ProjectProxies, catalogue = catalogues[0]!) {
  const headers = normalizeHeaders(raw);
  const address = clientAddress(headers, proxies, catalogue.proxyRanges);
  const context = { catalogue, clientAddress: address, sources: SOURCES, hostNames: [], allowTestKeys: true, now: NOW };
  return identify({ headers, method: null, path: null, at: NOW }, context) as Identification;
}

/** The best of three attempts, in milliseconds: a compiler or a collection of garbage may come in between once. */
function processorTime(raw: Record<string, unknown>, proxies: ProjectProxies): number {
  let best = Infinity;
  for (const catalogue of catalogues) {
    const before = process.threadCpuUsage();
    judge(raw, proxies, catalogue);
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
    if (best <= MOST_MILLISECONDS) break;
  }
  return best;
}

describe('hostile headers', () => {
  it('never throw, take long, or reach an object that is not theirs', () => {
    fc.assert(
      fc.property(hostileHeaders, fc.constantFrom(...SETTINGS), (raw, proxies) => {
        expect(processorTime(raw, proxies)).toBeLessThanOrEqual(MOST_MILLISECONDS);
        const headers = normalizeHeaders(raw);
        expect(Object.getPrototypeOf(headers)).toBeNull();
        expect(Object.values(headers).filter((value) => typeof value !== 'string')).toEqual([]);
        expect(judge(raw, proxies).result).not.toBe('verified');
      }),
      { numRuns: 500 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each(COSTLY_HEADERS)('take no time: $name', ({ headers }) => {
    for (const proxies of SETTINGS) expect(processorTime(headers, proxies)).toBeLessThanOrEqual(MOST_MILLISECONDS);
  });

  it('take no time: signatures without end, each of them fit to be checked in every way', () => {
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
    expect(processorTime(headers, {})).toBeLessThanOrEqual(MOST_MILLISECONDS);
    const few = { ...headers, 'signature-input': '', signature: '' };
    for (const [count, reason] of [
      [1, 'bad_signature'],
      [2, 'bad_signature'],
      // More than is tried in the time there is: undecided then, which is no accusation.
      [8, 'component_unavailable'],
    ] as const) {
      few['signature-input'] = headers['signature-input'].split(', ').slice(0, count).join(', ');
      few.signature = headers.signature.split(', ').slice(0, count).join(', ');
      expect(judge(few, {}).reason).toBe(reason);
      expect(processorTime(few, {})).toBeLessThanOrEqual(MOST_MILLISECONDS);
    }
  });

  it('are told when nothing can be made of them', () => {
    const raw = JSON.parse('{"__proto__":"GPTBot","constructor":{"prototype":{}},"toString":"x"}') as object;
    expect(judge({ ...raw, 'User-Agent': 'GPTBot/1.2' }, {}).agent_token).toBe('GPTBot');
    expect(judge(raw as Record<string, unknown>, {}).result).toBe('unknown_agent');
  });
});

describe('hostile settings', () => {
  it('are refused without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), hostileHeaders), (settings) => {
        expect(Array.isArray(projectProxiesFaults(settings))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
