import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { AgentMatcher, compileProxyRanges, NamePositions, patternFault } from '#libs/agents';
import { bundledCatalog } from './bundled-catalog.js';
import type { Agent } from './catalog.js';
import { compileCatalog } from './compiled-catalog.js';

const catalog = bundledCatalog();
const { matcher } = compileCatalog(catalog);
const patterns = catalog.agents.flatMap((agent) =>
  agent.user_agent_patterns.map((source, index) => ({
    agent,
    source,
    expression: new RegExp(`${behind(agent.excluded_prefixes)}(?:${source})`, 'gi'),
    sample: agent.sample_user_agents?.[index] ?? '',
  })),
);

/**
 * What the data's README says, word for word: run every pattern, and take the first match that counts; longest text, then
 * further left, then first listed.
 */
function plainly(userAgent: string): { agent: Agent; matchedText: string; start: number } | null {
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

function behind(prefixes: readonly string[] = []): string {
  return prefixes.map((prefix) => `(?<!${prefix})`).join('');
}

const LOG = join(import.meta.dirname, '../../../../shared/samples/apache-access.log.gz');

/** Real User-Agents, of an access log in the combined format, where there is one beside the project. */
function loggedUserAgents(): string[] {
  if (!existsSync(LOG)) return [];
  const lines = gunzipSync(readFileSync(LOG)).toString().split('\n');
  return [...new Set(lines.map((line) => line.split('"')[5] ?? ''))];
}

function differences(userAgents: string[]): string[] {
  return userAgents.filter((userAgent) => {
    const found = matcher.match(userAgent);
    const expected = plainly(userAgent);
    return (
      found?.agent !== expected?.agent ||
      found?.matchedText !== expected?.matchedText ||
      found?.start !== expected?.start
    );
  });
}

describe('bundled agents', () => {
  it('are complete', () => {
    expect(catalog.agents.length).toBeGreaterThanOrEqual(2_020);
    expect(catalog.agents.filter((agent) => !agent.type || !agent.token || !agent.id)).toEqual([]);
    const unseen = catalog.agents.filter((agent) => agent.user_agent_patterns.length === 0);
    expect(unseen.filter((agent) => !agent.robots_only && !agent.signature_only)).toEqual([]);
  });

  it('have a sample for each pattern, which finds its own agent', () => {
    const wrong = patterns.filter(
      ({ agent, expression, sample }) => sample.search(expression) === -1 || matcher.match(sample)?.agent !== agent,
    );
    expect(wrong.map(({ source, sample }) => [source, sample, matcher.match(sample)?.agent.token])).toEqual([]);
    const uneven = catalog.agents.filter((a) => a.sample_user_agents?.length !== a.user_agent_patterns.length);
    expect(uneven).toEqual([]);
  });

  it('have loose patterns only where a sample needs them', () => {
    const strict = catalog.agents.map((agent) => ({ ...agent, loose_patterns: [] }));
    const strictMatcher = new AgentMatcher(strict);
    const unneeded = patterns.filter(
      ({ agent, source, sample }) =>
        agent.loose_patterns?.includes(source) && strictMatcher.match(sample)?.agent.token === agent.token,
    );
    expect(unneeded.map(({ source, sample }) => [source, sample])).toEqual([]);
  });

  it('have patterns that take linear time and can be sieved', () => {
    expect(patterns.map(({ source }) => [source, patternFault(source)]).filter(([, fault]) => fault !== null)).toEqual(
      [],
    );
    expect(matcher.unsievedPatterns).toEqual([]);
  });

  it('and proxies have ranges that can be read', () => {
    expect(() =>
      compileProxyRanges(catalog.agents.flatMap((agent) => agent.verification.ip_ranges ?? [])),
    ).not.toThrow();
    expect(catalog.proxies.map((proxy) => proxy.operator)).toContain('Cloudflare');
  });
});

describe('matcher, against running every pattern', () => {
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
  // Running all patterns takes a third of a millisecond, so not every agent gets every form.
  const made = catalog.agents.flatMap(({ token, sample_user_agents: samples = [] }, index) => {
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

  it('agrees on User-Agents made of tokens and samples', () => {
    expect(differences([...made, ...patterns.map(({ sample }) => sample)])).toEqual([]);
  });

  it('finds no agent in browsers', () => {
    expect(browsers.map((userAgent) => matcher.match(userAgent)?.agent.token)).toEqual(browsers.map(() => undefined));
  });

  it('agrees on real ones, and on their parts', () => {
    const logged = [...loggedUserAgents(), ...browsers];
    const parts = logged.map((text, index) => text.slice(index % 23, text.length - (index % 11)));
    expect(differences(['', ...logged, ...parts])).toEqual([]);
  });

  it('agrees on hostile ones', () => {
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
    expect(differences(pieces.map((piece) => piece.repeat(4_096).slice(0, 4_096)))).toEqual([]);
  });
});
