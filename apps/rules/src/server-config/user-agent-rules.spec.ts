import type { KeyValueStore } from '#libs/cache';
import {
  getBundledCatalog,
  createCatalog,
  compileCatalog,
  readSnapshot,
  writeSnapshot,
  type Agent,
  type AgentRecord,
  type CompiledCatalog,
} from '#libs/catalog';
import { rankedPatterns } from './competing-patterns.js';
import { userAgentRules } from './user-agent-rules.js';

const bundled = compileCatalog(getBundledCatalog());
const all = [...bundled.byId.values()];
const getAgent = (token: string): Agent => bundled.byToken.get(token.toLowerCase())!;

const toTargets = (agents: readonly Agent[]) => new Map(agents.map((agent) => [agent, '1']));

/** Returns which User-Agents a server that applies the rules would block. */
function refuses(listed: readonly Agent[], userAgents: readonly string[], catalog = bundled): boolean[] {
  const rules = userAgentRules(toTargets(listed), catalog, 're2').rules.map(({ target, expression }) => ({
    isListed: target !== null,
    expression: new RegExp(expression.replaceAll('\\z', '$'), 'i'),
  }));
  return userAgents.map((text) => rules.find(({ expression }) => expression.test(text))?.isListed ?? false);
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
    const listed = [getAgent('Googlebot')];
    const userAgents = ['Googlebot/2.1', 'Googlebot-Image/1.0', 'like Googlebot', 'GPTBot'];
    expect(refuses(listed, userAgents)).toEqual([true, false, false, false]);
    expect(refuses([getAgent('Googlebot-Image')], userAgents)).toEqual([false, true, false, false]);
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
    const stored = new Map<string, string>();
    const store = {
      get: async (key: string) => stored.get(key) ?? null,
      set: async (key: string, value: string) => void stored.set(key, value),
    } as unknown as KeyValueStore;
    await writeSnapshot(store, { revision: 1, catalog: getBundledCatalog() });
    const restored = compileCatalog((await readSnapshot(store))!.catalog);
    const getRules = (catalog: CompiledCatalog) =>
      userAgentRules(toTargets([catalog.byToken.get('googlebot')!]), catalog, 'pcre');
    expect(getRules(restored)).toEqual(getRules(bundled));
  });

  it("returns no rules for an empty list and reports agents that can't be recognized by User-Agent", () => {
    expect(userAgentRules(new Map(), bundled, 'pcre')).toEqual({ rules: [], unrecognizable: [], unsupported: [] });
    const { rules, unrecognizable } = userAgentRules(toTargets([getAgent('Google-Extended')]), bundled, 'pcre');
    expect([rules, unrecognizable]).toEqual([[], ['Google-Extended']]);
  });

  it('covers every agent and lists it at most once per rule', () => {
    const { rules, unrecognizable, unsupported } = userAgentRules(toTargets(all), bundled, 'pcre');
    const tokens = rules.flatMap((rule) => [...new Set(rule.tokens)]);
    expect(rules.flatMap((rule) => rule.tokens)).toEqual(tokens);
    expect(new Set([...tokens, ...unrecognizable])).toEqual(new Set(all.map(({ token }) => token)));
    expect(unsupported).toEqual([]);
    expect(Math.max(...rules.map(({ expression }) => expression.length))).toBeLessThan(4_000);
  });

  it('returns the same rules regardless of the order of agents', () => {
    const listed = all.filter(({ type }) => type === 'AI Data Scraper');
    expect(userAgentRules(toTargets(listed.toReversed()), bundled, 'pcre')).toEqual(
      userAgentRules(toTargets(listed), bundled, 'pcre'),
    );
  });

  it('skips the other rules for plain browsers unless a listed agent looks like one', () => {
    const catalog = compileCatalog(
      createCatalog({ agents: [record('Robot', 'Robot'), record('Safari/9', 'Safari\\/[\\d.]+')], proxies: [] }),
    );
    const [robot, safari] = [...catalog.byId.values()];
    const skipsBrowsers = (...listed: Agent[]) =>
      userAgentRules(toTargets(listed), catalog, 'pcre').rules.some(({ tokens }) => tokens.length === 0);
    expect([skipsBrowsers(robot!), skipsBrowsers(safari!), skipsBrowsers(robot!, safari!)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('allows User-Agents that name the agent only after an excluded prefix', () => {
    const agents = [{ ...record('Plain', 'Plain|Fancy'), excluded_prefixes: ['like ', '-'] }, record('Bot', 'likebot')];
    const catalog = compileCatalog(createCatalog({ agents, proxies: [] }));
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

  it('omits unsupported patterns for listed agents and uses literal text for unlisted ones', () => {
    const agents = [record('Unsayable', '(?<!a+)Unsayable'), record('Saya', 'Saya'), record('Say', 'Unsay')];
    const catalog = compileCatalog(createCatalog({ agents, proxies: [] }));
    const [unsayable, saya] = [...catalog.byId.values()];
    expect(userAgentRules(toTargets([unsayable!]), catalog, 'pcre')).toMatchObject({
      rules: [],
      unsupported: ['Unsayable'],
    });
    expect(refuses([saya!], ['Unsayable', 'aUnsayable', 'Saya'], catalog)).toEqual([false, false, true]);
  });
});
