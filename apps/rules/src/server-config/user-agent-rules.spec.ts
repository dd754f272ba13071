import type { KeyValue } from '#libs/cache';
import {
  bundledCatalog,
  catalogOf,
  compileCatalog,
  readSnapshot,
  writeSnapshot,
  type Agent,
  type AgentRecord,
  type CompiledCatalog,
} from '#libs/catalog';
import { rankedPatterns } from './competing-patterns.js';
import { userAgentRules } from './user-agent-rules.js';

const bundled = compileCatalog(bundledCatalog());
const all = [...bundled.byId.values()];
const named = (token: string): Agent => bundled.byToken.get(token.toLowerCase())!;

/** Simulates a server that applies the rules. */
function refuses(listed: readonly Agent[], userAgents: readonly string[], catalog = bundled): boolean[] {
  const rules = userAgentRules(listed, catalog, 're2').rules.map(({ refuses, expression }) => ({
    refuses,
    expression: new RegExp(expression.replaceAll('\\z', '$'), 'i'),
  }));
  return userAgents.map((text) => rules.find(({ expression }) => expression.test(text))?.refuses ?? false);
}

const record = (token: string, ...patterns: string[]): AgentRecord => ({
  token,
  type: 'Fetcher',
  operator: null,
  url: null,
  user_agent_patterns: patterns,
  sample_user_agents: patterns.map(() => token),
  robots_token: null,
  verification: {},
});

describe('userAgentRules', () => {
  it('allows unlisted agents even if their User-Agent also names a listed one', () => {
    const listed = [named('Googlebot')];
    const userAgents = ['Googlebot/2.1', 'Googlebot-Image/1.0', 'like Googlebot', 'GPTBot'];
    expect(refuses(listed, userAgents)).toEqual([true, false, false, false]);
    expect(refuses([named('Googlebot-Image')], userAgents)).toEqual([false, true, false, false]);
  });

  it('agrees with the identification engine if a sample names several agents', () => {
    const shared = rankedPatterns(bundled).filter(({ rivals }) => rivals.size > 0);
    expect(shared.length).toBeGreaterThan(40);
    for (const { agent, source, rivals } of shared) {
      const sample = agent.sample_user_agents![agent.user_agent_patterns.indexOf(source)]!;
      const found = [refuses([...rivals], [sample])[0], refuses([agent], [sample])[0]];
      expect([agent.token, sample, ...found]).toEqual([agent.token, sample, false, true]);
    }
  });

  it('ranks patterns so that the first match identifies the agent', () => {
    const order = rankedPatterns(bundled)
      .map(({ agent, source, rank }) => ({ agent, rank, expression: new RegExp(source, 'i') }))
      .toSorted((one, other) => other.rank - one.rank);
    const shared = rankedPatterns(bundled).filter(({ rivals }) => rivals.size > 0);
    for (const { agent, source } of shared) {
      const sample = agent.sample_user_agents![agent.user_agent_patterns.indexOf(source)]!;
      expect([sample, order.find(({ expression }) => expression.test(sample))?.agent]).toEqual([sample, agent]);
    }
  });

  it('returns the same rules for a catalog restored from a snapshot', async () => {
    const kept = new Map<string, string>();
    const store = {
      get: async (key: string) => kept.get(key) ?? null,
      set: async (key: string, value: string) => void kept.set(key, value),
    } as unknown as KeyValue;
    await writeSnapshot(store, { revision: 1, catalog: bundledCatalog() });
    const handedOn = compileCatalog((await readSnapshot(store))!.catalog);
    const rulesOf = (catalog: CompiledCatalog) => userAgentRules([catalog.byToken.get('googlebot')!], catalog, 'pcre');
    expect(rulesOf(handedOn)).toEqual(rulesOf(bundled));
  });

  it('returns no rules without agents, and lists agents that send no User-Agent', () => {
    expect(userAgentRules([], bundled, 'pcre')).toEqual({ rules: [], unseen: [], unsaid: [] });
    const { rules, unseen } = userAgentRules([named('Google-Extended')], bundled, 'pcre');
    expect([rules, unseen]).toEqual([[], ['Google-Extended']]);
  });

  it('lists every agent, at most once per rule', () => {
    const { rules, unseen, unsaid } = userAgentRules(all, bundled, 'pcre');
    const tokens = rules.flatMap((rule) => [...new Set(rule.tokens)]);
    expect(rules.flatMap((rule) => rule.tokens)).toEqual(tokens);
    expect(new Set([...tokens, ...unseen])).toEqual(new Set(all.map(({ token }) => token)));
    expect(unsaid).toEqual([]);
    expect(Math.max(...rules.map(({ expression }) => expression.length))).toBeLessThan(4_000);
  });

  it('does not depend on the order of the agents', () => {
    const listed = all.filter(({ type }) => type === 'AI Data Scraper');
    expect(userAgentRules(listed.toReversed(), bundled, 'pcre')).toEqual(userAgentRules(listed, bundled, 'pcre'));
  });

  it('exempts plain browsers from the search unless an agent looks like one', () => {
    const catalog = compileCatalog(
      catalogOf({ agents: [record('Robot', 'Robot'), record('Safari/9', 'Safari\\/[\\d.]+')], proxies: [] }),
    );
    const [robot, safari] = [...catalog.byId.values()];
    const spared = (...listed: Agent[]) =>
      userAgentRules(listed, catalog, 'pcre').rules.some(({ tokens }) => tokens.length === 0);
    expect([spared(robot!), spared(safari!), spared(robot!, safari!)]).toEqual([true, false, false]);
  });

  it('allows agents that are named only after an excluded prefix', () => {
    const agents = [{ ...record('Plain', 'Plain|Fancy'), excluded_prefixes: ['like ', '-'] }, record('Bot', 'likebot')];
    const catalog = compileCatalog(catalogOf({ agents, proxies: [] }));
    const userAgents = [
      'Plain',
      'like plain',
      'LIKE Fancy Fancy',
      'x-Fancy',
      'like',
      'xlike  Plain',
      'like Plain likebot',
    ];
    expect(refuses([...catalog.byId.values()], userAgents, catalog)).toEqual([
      true,
      false,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it('omits patterns it cannot render, but allows unlisted agents by their literal text', () => {
    const agents = [record('Unsayable', '(?<!a+)Unsayable'), record('Saya', 'Saya'), record('Say', 'Unsay')];
    const catalog = compileCatalog(catalogOf({ agents, proxies: [] }));
    const [unsayable, saya] = [...catalog.byId.values()];
    expect(userAgentRules([unsayable!], catalog, 'pcre')).toMatchObject({ rules: [], unsaid: ['Unsayable'] });
    expect(refuses([saya!], ['Unsayable', 'aUnsayable', 'Saya'], catalog)).toEqual([false, false, true]);
  });
});
