import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AgentMatcher, compileProxyRanges, NamePositions, findPatternFault } from '#libs/agents';
import { getBundledCatalog } from './bundled-catalog.js';
import type { Agent } from './catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const catalog = getBundledCatalog();
const { matcher } = compileCatalog(catalog);
const patterns = catalog.agents.flatMap((agent) =>
  agent.user_agent_patterns.map((source, index) => ({
    agent,
    source,
    expression: new RegExp(`${toLookbehinds(agent.excluded_prefixes)}(?:${source})`, 'gi'),
    sample: agent.sample_user_agents?.[index] ?? '',
  })),
);

/** Reference matcher: runs all patterns and picks the longest valid match, then the leftmost, then the first listed. */
function matchWithReference(userAgent: string): { agent: Agent; matchedText: string; start: number } | null {
  let best: { agent: Agent; matchedText: string; start: number; length: number } | null = null;
  const positions = new NamePositions(userAgent);
  for (const { agent, source, expression } of patterns) {
    if (userAgent.search(expression) === -1) continue;
    const isLoose = agent.loose_patterns?.includes(source) ?? false;
    const isFallback = agent.fallback_patterns?.includes(source) ?? false;
    const match = [...userAgent.matchAll(expression)].find(({ 0: text, index: start }) => {
      if (isLoose) return true;
      const end = start + text.length;
      if (!isFallback && !agent.generic && positions.isProse(start, end)) return false;
      return positions.isName(start, end) && !positions.isPersonal(start, end);
    });
    if (match === undefined) continue;
    const length = isFallback ? 2 : agent.generic ? (agent.framework ? 2 : 1) : match[0].length;
    const isLonger = length > (best?.length ?? 0);
    const isFurtherLeft = best !== null && length === best.length && match.index < best.start;
    if (isLonger || isFurtherLeft) best = { agent, matchedText: match[0], start: match.index, length };
  }
  return best;
}

function toLookbehinds(prefixes: readonly string[] = []): string {
  return prefixes.map((prefix) => `(?<!${prefix})`).join('');
}

const LOG_PATH = join(import.meta.dirname, '../../../../shared/samples/apache-access.log.gz');

function readLoggedUserAgents(): string[] {
  if (!existsSync(LOG_PATH)) return [];
  const lines = gunzipSync(readFileSync(LOG_PATH)).toString().split('\n');
  return [...new Set(lines.map((line) => line.split('"')[5] ?? ''))];
}

function findDifferences(userAgents: string[]): string[] {
  return userAgents.filter((userAgent) => {
    const found = matcher.match(userAgent);
    const expected = matchWithReference(userAgent);
    return (
      found?.agent !== expected?.agent ||
      found?.matchedText !== expected?.matchedText ||
      found?.start !== expected?.start
    );
  });
}

describe('bundledCatalog', () => {
  it('contains only agents with the required fields and a means of identification', () => {
    expect(catalog.agents.length).toBeGreaterThanOrEqual(2_020);
    expect(catalog.agents.filter((agent) => !agent.type || !agent.token || !agent.id)).toEqual([]);
    const agentsWithoutPatterns = catalog.agents.filter((agent) => agent.user_agent_patterns.length === 0);
    expect(agentsWithoutPatterns.filter((agent) => !agent.robots_only && !agent.signature_only)).toEqual([]);
  });

  it('contains a sample that identifies the same agent for each pattern', () => {
    const wrong = patterns.filter(
      ({ agent, expression, sample }) => sample.search(expression) === -1 || matcher.match(sample)?.agent !== agent,
    );
    expect(wrong.map(({ source, sample }) => [source, sample, matcher.match(sample)?.agent.token])).toEqual([]);
    const mismatched = catalog.agents.filter((a) => a.sample_user_agents?.length !== a.user_agent_patterns.length);
    expect(mismatched).toEqual([]);
  });

  it('contains loose patterns only where a sample needs them', () => {
    const strict = catalog.agents.map((agent) => ({ ...agent, loose_patterns: [] }));
    const strictMatcher = new AgentMatcher(strict);
    const unneeded = patterns.filter(
      ({ agent, source, sample }) =>
        agent.loose_patterns?.includes(source) && strictMatcher.match(sample)?.agent.token === agent.token,
    );
    expect(unneeded.map(({ source, sample }) => [source, sample])).toEqual([]);
  });

  it('contains only patterns that run in linear time and can be prefiltered', () => {
    expect(
      patterns.map(({ source }) => [source, findPatternFault(source)]).filter(([, fault]) => fault !== null),
    ).toEqual([]);
    expect(matcher.unfilteredPatterns).toEqual([]);
  });

  it('contains only valid IP ranges', () => {
    expect(() =>
      compileProxyRanges(catalog.agents.flatMap((agent) => agent.verification.ip_ranges ?? [])),
    ).not.toThrow();
    expect(catalog.proxies.map((proxy) => proxy.operator)).toContain('Cloudflare');
  });
});

describe('AgentMatcher', () => {
  const browser =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
  const browsers = [
    browser,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 EdgA/131.0.0.0',
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; WOW64; Trident/4.0; SLCC2; .NET CLR 2.0.50727)',
    'Opera/9.80 (Windows NT 6.1; U; en) Presto/2.10.289 Version/12.01',
  ];
  // The reference matcher is slow, so each agent gets only one of these forms.
  const generatedUserAgents = catalog.agents.flatMap(({ token, sample_user_agents: samples = [] }, index) => {
    const other = catalog.agents[(index * 7 + 3) % catalog.agents.length]!;
    const forms = [
      `${token} ${other.token}`,
      `${browser} ${token.toUpperCase()}/2.0`,
      `${samples.at(-1) ?? ''} ${other.sample_user_agents?.[0] ?? ''}`,
      `like ${token.toLowerCase()}x${token}`,
      `_${token}_\n${samples[0] ?? ''}`,
    ];
    return [token, forms[index % forms.length]!];
  });

  it('agrees with the reference matcher on User-Agents built from tokens and samples', () => {
    expect(findDifferences([...generatedUserAgents, ...patterns.map(({ sample }) => sample)])).toEqual([]);
  });

  it('finds no agent in ordinary browsers', () => {
    expect(browsers.map((userAgent) => matcher.match(userAgent)?.agent.token)).toEqual(browsers.map(() => undefined));
  });

  it('agrees with the reference matcher on real User-Agents and their parts', () => {
    const logged = [...readLoggedUserAgents(), ...browsers];
    const parts = logged.map((text, index) => text.slice(index % 23, text.length - (index % 11)));
    expect(findDifferences(['', ...logged, ...parts])).toEqual([]);
  });

  it('agrees with the reference matcher on hostile User-Agents', () => {
    const pieces = [
      'a',
      ' ',
      '/1',
      'spider ',
      'Yandex',
      '\u212A',
      '\u017Fpider',
      'Bot;',
      '1.1.',
      '(+https://',
      '\ud83d\ude00',
    ];
    expect(findDifferences(pieces.map((piece) => piece.repeat(4_096).slice(0, 4_096)))).toEqual([]);
  });
});
