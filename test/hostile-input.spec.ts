import * as fc from 'fast-check';
import { clientAddress, identify, normalizeHeaders, projectProxiesFaults, type ProjectProxies } from '#libs/agents';
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

/** Matchers remember; each attempt takes another, which has not seen the text. */
const catalogues = [1, 2, 3].map(() => compileCatalogue(bundledCatalogue()));

function judge(raw: Record<string, unknown>, proxies: ProjectProxies, catalogue = catalogues[0]!) {
  const headers = normalizeHeaders(raw);
  return identify(headers, { catalogue, clientAddress: clientAddress(headers, proxies, catalogue.proxyRanges) });
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
        expect(['unknown_agent', 'not_verifiable']).toContain(judge(raw, proxies).result);
      }),
      { numRuns: 500 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it.each(COSTLY_HEADERS)('take no time: $name', ({ headers }) => {
    for (const proxies of SETTINGS) expect(processorTime(headers, proxies)).toBeLessThanOrEqual(MOST_MILLISECONDS);
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
