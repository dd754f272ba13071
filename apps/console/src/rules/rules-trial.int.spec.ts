import { agentId } from '#libs/catalog';
import { MAX_TRIAL_VISITS, RulesTrialSchema, validator, type RobotsVerdict, type RulesTrial } from '#libs/contracts';
import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { storeVisits, rollUpCounts, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { onlyInPostgres } from '../../../../test/kit/visit-store.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const HOUR_MS = 3_600_000;
const VERSION = '01a0a0a0-0000-7000-8000-000000000001';
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const CLAUDEBOT = { agent: 'ClaudeBot', type: 'AI Data Scraper', operator: 'Anthropic' };
const CHATGPT_USER = { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI' };
const SCRAPERS = { agent_types: ['AI Data Scraper'] };

const schema = validator(RulesTrialSchema);
let app: App;
beforeAll(async () => {
  app = await App.start({ clock: () => NOW });
});

async function createProject(visits: readonly StoredVisit[]): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop' });
  if (visits.length > 0) await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}

async function runTrial(id: string, body: object): Promise<RulesTrial> {
  const { status, body: response, text } = await app.api('POST', `/projects/${id}/rules-trials`, body);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(response)).toEqual([]);
  return response as unknown as RulesTrial;
}

const hoursAgo = (hours: number, visit: Omit<StoredVisit, 'at'>): StoredVisit => ({
  at: new Date(NOW - hours * HOUR_MS).toISOString(),
  ...visit,
});
const createInsights = (verdict: RobotsVerdict) => ({ insights: { robots: { verdict, version: VERSION, line: 2 } } });
const byToken = ({ top_agents: agents }: RulesTrial) => agents.map((agent) => [agent.agent_token, agent.visits]);

describe('POST /api/projects/{id}/rules-trials', () => {
  const VISITS = [
    hoursAgo(1, { ...GPTBOT, path: '/', ...createInsights('allowed') }),
    hoursAgo(2, { ...GPTBOT, path: '/private/a?x=1', ...createInsights('disallowed') }),
    hoursAgo(3, { ...GPTBOT, path: '/robots.txt', ...createInsights('allowed') }),
    hoursAgo(30, { ...CLAUDEBOT, path: '/private/b', ...createInsights('allowed') }),
    hoursAgo(40, { ...CLAUDEBOT, path: '/k%C3%A4se.pdf', ...createInsights('no_rules') }),
    // None of these visits are counted: they aren't by an agent, are too old, are spoofed, or are by an agent that the
    // rules don't select.
    hoursAgo(1, { path: '/private/a' }),
    hoursAgo(31 * 24, { ...CLAUDEBOT, path: '/private/b' }),
    hoursAgo(4, { ...CLAUDEBOT, path: '/private/b', result: 'verification_failed', ...createInsights('disallowed') }),
    hoursAgo(5, { ...CHATGPT_USER, path: '/private/a', ...createInsights('disallowed') }),
  ];

  it('counts the visits that a site-wide ban would affect, without reading their paths', async () => {
    const id = await createProject(VISITS);
    const expected = {
      from: '2026-10-22T08:30:00.000Z',
      to: '2026-11-21T08:45:00.000Z',
      visits: 4,
      agents: 2,
      named_visits: 5,
      disregarding_agents: 1,
      user_triggered_agents: 0,
      read_visits: null,
      unread_visits: 0,
      is_estimated: false,
    };
    for (const now of [null, NOW, NOW + 24 * HOUR_MS]) {
      if (now !== null) await rollUpCounts(app.database.dataSource, now);
      for (const disallow of [{}, { disallow: '/' }]) {
        const response = await runTrial(id, { ...SCRAPERS, ...disallow });
        expect(response).toMatchObject(expected);
        expect(response.top_agents.map((agent) => agent.agent_token).toSorted()).toEqual(['ClaudeBot', 'GPTBot']);
      }
    }
  });

  it.each([
    [
      '/private/',
      [
        ['GPTBot', 1],
        ['ClaudeBot', 1],
      ],
    ],
    ['/private/*?', [['GPTBot', 1]]],
    ['/käse.pdf$', [['ClaudeBot', 1]]],
    ['/nothing', []],
    ['', []],
  ])('matches visit paths against %j', async (disallow, expected) => {
    const response = await runTrial(await createProject(VISITS), { ...SCRAPERS, disallow });
    expect(byToken(response).toSorted()).toEqual(expected.toSorted());
    expect(response).toMatchObject({ named_visits: 5, read_visits: disallow === '' ? null : 5, is_estimated: false });
  });

  it('skips excluded agents, and marks agents that fetch on behalf of people', async () => {
    const id = await createProject(VISITS);
    const response = await runTrial(id, {
      agent_types: ['AI Data Scraper', 'AI Assistant'],
      excluded_operator_names: ['anthropic'],
      disallow: '/private/',
    });
    expect(response).toMatchObject({ visits: 2, agents: 2, disregarding_agents: 1, user_triggered_agents: 1 });
    expect(response.top_agents).toContainEqual({
      agent_id: agentId('ChatGPT-User'),
      agent_token: 'ChatGPT-User',
      agent_type_name: 'AI Assistant',
      operator_name: 'OpenAI',
      is_user_triggered: true,
      visits: 1,
      disregarded: 1,
    });
  });

  it('returns null for disregarding_agents if no robots.txt was ever fetched', async () => {
    const id = await createProject([hoursAgo(1, { ...GPTBOT, path: '/', ...createInsights('unknown') })]);
    expect(await runTrial(id, SCRAPERS)).toMatchObject({ visits: 1, disregarding_agents: null });
    for (const verdict of ['allowed', 'no_rules'] as const) {
      const projectId = await createProject([hoursAgo(30, { ...GPTBOT, path: '/', ...createInsights(verdict) })]);
      expect(await runTrial(projectId, SCRAPERS)).toMatchObject({ visits: 1, disregarding_agents: 0 });
      await rollUpCounts(app.database.dataSource, NOW);
      expect(await runTrial(projectId, SCRAPERS)).toMatchObject({ visits: 1, disregarding_agents: 0 });
    }
    expect(await runTrial(await createProject([]), SCRAPERS)).toMatchObject({ visits: 0, agents: 0, named_visits: 0 });
  });

  // ClickHouse reads all visits.
  onlyInPostgres(() => {
    it('estimates counts from a sample if there are many visits', async () => {
      const id = await createProject([]);
      // Throughout the range, a fifth of GPTBot's visits request private paths, and none of ClaudeBot's do.
      const perBatch = 3_000;
      const batches = Math.ceil((1.5 * MAX_TRIAL_VISITS) / perBatch);
      for (let batch = 0; batch < batches; batch += 1) {
        const visits = Array.from({ length: perBatch }, (_, index): StoredVisit => ({
          at: new Date(NOW - (batch * 48 + 1) * HOUR_MS - index * 1_000).toISOString(),
          ...(index % 2 === 0 ? GPTBOT : CLAUDEBOT),
          path: index % 10 === 0 ? '/private/a' : '/a',
        }));
        await storeVisits(app.database.dataSource, id, NOW, visits);
      }
      const response = await runTrial(id, { ...SCRAPERS, disallow: '/private/' });
      const expectedVisits = (batches * perBatch) / 10;
      expect(response).toMatchObject({
        agents: 1,
        is_estimated: true,
        unread_visits: 0,
        named_visits: batches * perBatch,
      });
      expect(response.read_visits).toBeGreaterThan(0.8 * MAX_TRIAL_VISITS);
      expect(response.read_visits).toBeLessThan(1.2 * MAX_TRIAL_VISITS);
      expect(Math.abs(response.visits - expectedVisits)).toBeLessThan(0.1 * expectedVisits);
      expect(await runTrial(id, SCRAPERS)).toMatchObject({ visits: batches * perBatch, is_estimated: false });
    });
  });

  // ClickHouse reads all visits.
  onlyInPostgres(() => {
    it('reads fewer visits if their paths are slow to match', async () => {
      const id = await createProject(
        Array.from({ length: 2_000 }, (_, index) =>
          hoursAgo(1, { ...GPTBOT, path: `/${index % 2 === 0 ? 'private' : 'open'}/${'ä'.repeat(8_000)}` }),
        ),
      );
      const response = await runTrial(id, { ...SCRAPERS, disallow: '/private/*x*y' });
      expect(response).toMatchObject({ is_estimated: true, named_visits: 2_000, unread_visits: 0, visits: 0 });
      expect(response.read_visits).toBeLessThan(200);
      const share = (await runTrial(id, { ...SCRAPERS, disallow: '/private/' })).visits / 2_000;
      expect(Math.abs(share - 0.5)).toBeLessThan(0.25);
    });
  });

  it.each([
    [{ agent_types: ['Nothing'] }, '/agent_types/0'],
    [{ ...SCRAPERS, disallow: '/a\nAllow: /' }, '/disallow'],
    [{ ...SCRAPERS, format: 'blocks' }, '/format'],
  ])('rejects a rules trial with %j', async (body, pointer) => {
    const response = await app.api('POST', `/projects/${await createProject([])}/rules-trials`, body);
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
  });
});
