import { MAX_RULES_VERSIONS } from '#libs/contracts';
import { App, type Json } from '../kit/app.js';

let app: App;
let projectId: string;

beforeAll(async () => {
  app = await App.start();
  projectId = (await app.api('GET', '/projects')).body.projects[0].id;
});
afterAll(() => app?.dispose());

const SCRAPERS = { agent_types: ['AI Data Scraper'], format: 'blocks' };
const render = (body: object) => app.api('POST', `/projects/${projectId}/rules`, body);
const save = (body: object) => app.api('POST', `/projects/${projectId}/rules-versions`, body);
const versions = async (): Promise<Json[]> =>
  (await app.api('GET', `/projects/${projectId}/rules-versions`)).body.versions;

it('renders the same rules as the public API in every format', async () => {
  const { body } = await render({ ...SCRAPERS, disallow: '/private/', excluded_agent_tokens: ['gptbot'] });
  const request = { agent_types: ['AI Data Scraper'], disallow: '/private/', excluded_agent_tokens: ['gptbot'] };
  expect(body.text).toBe((await app.post('/robots-txts', request)).text);
  expect(body.text).toContain('User-agent: CCBot\nDisallow: /private/\n');
  expect(body.text).not.toContain('GPTBot');
  expect(body.catalog_version).toBe((await app.api('GET', '/agents?limit=1')).body.catalog_version);
  for (const format of ['json', 'text', 'nginx-map', 'apache', 'caddy', 'haproxy']) {
    const { text } = await app.post('/user-agent-token-lists', { agent_types: ['Scraper'], format });
    expect((await render({ agent_types: ['Scraper'], format })).body.text).toBe(text);
  }
});

it('lists the address ranges of agents, but does not save them as rules', async () => {
  const crawlers = { agent_types: ['Search Engine Crawler'], format: 'nginx-geo' };
  const { text, catalog_version: version } = (await render(crawlers)).body;
  expect(text).toMatch(/# .*Googlebot[^]*\ngeo \$listed_agent \{\n {4}default 0;\n {4}[\d.]+\/\d+ 1;\n/);
  expect(text).not.toContain('GPTBot');
  expect(version).toBe((await app.api('GET', '/agents?limit=1')).body.catalog_version);
  expect((await save(crawlers)).status).toBe(422);
});

it('selects agents by behavior and name, unlike the public API', async () => {
  const training = { agent_types: [], agent_behaviors: ['training'] };
  const { body } = await render({ ...training, format: 'blocks' });
  expect(body.text).toContain('User-agent: GPTBot\n');
  expect(body.text).toContain('User-agent: Googlebot\n');
  expect(body.text).not.toContain('User-agent: Twitterbot\n');
  expect((await app.post('/robots-txts', training)).text).toBe('');
  expect((await app.post('/user-agent-token-lists', training)).body).toEqual([]);
  expect((await render({ ...training, format: 'json' })).body.text).toContain('"Googlebot"');
  const single = { agent_types: [], agent_tokens: ['GPTBot'] };
  expect((await render({ ...single, format: 'text' })).body.text).toBe('GPTBot\n');
  expect((await app.post('/user-agent-token-lists', single)).body).toEqual([]);
});

it.each([
  [{ agent_types: ['Nothing'], format: 'text' }, '/agent_types/0'],
  [{ agent_types: [], format: 'word' }, '/format'],
  [{ agent_types: [] }, '/format'],
  [{ ...SCRAPERS, agent_behaviors: ['eating'] }, '/agent_behaviors/0'],
  [{ ...SCRAPERS, disallow: '/a\nAllow: /' }, '/disallow'],
  [{ ...SCRAPERS, excluded_agent_tokens: ['a\0b'] }, '/excluded_agent_tokens/0'],
  [{ ...SCRAPERS, other: 1 }, '/other'],
  [{ ...SCRAPERS, excluded_operator_names: ['\ud800'] }, '/excluded_operator_names/0'],
  [{ ...SCRAPERS, content_signal: { 'ai-train': false } }, '/content_signal/ai-train'],
  [{ ...SCRAPERS, content_signal: { ai_train: 'no' } }, '/content_signal/ai_train'],
  [{ ...SCRAPERS, content_usage: null }, '/content_usage'],
  [{ ...SCRAPERS, license: '/license.xml' }, '/license'],
  [{ ...SCRAPERS, license: 'https://shop.example/#x' }, '/license'],
  [{ ...SCRAPERS, license: 'https://shop.example/\nAllow: /' }, '/license'],
])('rejects project rules with %j', async (body, pointer) => {
  for (const response of [await render(body), await save(body)]) {
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer]);
  }
});

it('adds content signals only to robots.txt and stores them with the version', async () => {
  const signals = {
    content_signal: { search: true, ai_train: false },
    content_usage: { train_ai: false },
    license: 'https://shop.example/license.xml',
  };
  const { status, body } = await save({ ...SCRAPERS, disallow: '/private/', ...signals });
  expect([status, body.selection]).toEqual([201, { ...SCRAPERS, disallow: '/private/', ...signals }]);
  expect(body.text).toMatch(
    /^License: https:\/\/shop.example\/license.xml\n\nUser-agent: \*\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\nDisallow:\n\n/,
  );
  expect(body.text).toContain(
    'User-agent: GPTBot\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\nDisallow: /private/\n',
  );
  expect(body.text).toBe(
    (await app.post('/robots-txts', { agent_types: SCRAPERS.agent_types, disallow: '/private/', ...signals })).text,
  );
  const nginx = { agent_types: ['Scraper'], format: 'nginx-map' };
  expect((await render({ ...nginx, ...signals })).body.text).toBe((await render(nginx)).body.text);
});

it('retains only the newest rules versions', async () => {
  const { status, body: first } = await save({ ...SCRAPERS, excluded_operator_names: ['Nobody'] });
  expect([status, first]).toEqual([
    201,
    {
      id: expect.any(String),
      selection: { ...SCRAPERS, excluded_operator_names: ['Nobody'] },
      text: (await render(SCRAPERS)).body.text,
      catalog_version: expect.any(String),
      saved_at: expect.any(String),
      saved_by: null,
    },
  ]);
  expect((await app.api('GET', `/projects/${projectId}/rules-versions/${first.id}`)).body).toEqual(first);
  const { text, ...listed } = first;
  expect([text.length > 100, (await versions())[0]]).toEqual([true, listed]);
  for (let count = 0; count < MAX_RULES_VERSIONS; count += 1) await save({ agent_types: [], format: 'text' });
  const retained = await versions();
  expect(retained).toHaveLength(MAX_RULES_VERSIONS);
  expect(retained.map(({ id }) => id)).not.toContain(first.id);
  expect((await app.api('GET', `/projects/${projectId}/rules-versions/${first.id}`)).status).toBe(404);
});

it("doesn't change saved versions when an agent is added to the catalog", async () => {
  const { body: saved } = await save(SCRAPERS);
  const agent = {
    token: 'NewScraper',
    type: 'AI Data Scraper',
    operator: null,
    url: null,
    user_agent_patterns: ['NewScraper'],
    robots_token: 'NewScraper',
    verification: {},
  };
  expect((await app.api('POST', '/agents', agent)).status).toBe(201);
  const now = (await render(SCRAPERS)).body;
  expect(now.text).toContain('User-agent: NewScraper\n');
  expect(now.catalog_version).not.toBe(saved.catalog_version);
  const { body: retained } = await app.api('GET', `/projects/${projectId}/rules-versions/${saved.id}`);
  expect(retained.text).not.toContain('NewScraper');
});

it('returns 404 for an unknown project', async () => {
  const path = '/projects/00000000-0000-4000-8000-000000000000';
  expect((await app.api('POST', `${path}/rules`, SCRAPERS)).status).toBe(404);
  expect((await app.api('POST', `${path}/rules-versions`, SCRAPERS)).status).toBe(404);
  expect((await app.api('GET', `${path}/rules-versions`)).status).toBe(404);
});

it('counts agents by type and operator', async () => {
  const { body } = await app.api('GET', '/catalog');
  const sum = body.types.reduce((total: number, { agents }: Json) => total + agents, 0);
  expect([body.types.length, sum]).toEqual([17, body.agents]);
  const scrapers = body.types.find(({ type }: Json) => type === 'Scraper');
  const listed = (await app.api('GET', '/agents?type=Scraper&limit=1000')).body.agents;
  expect(scrapers).toEqual({
    type: 'Scraper',
    agents: listed.length,
    robots_tokens: listed.filter(({ robots_token: token }: Json) => token !== null).length,
  });
  expect(body.operators).toEqual(expect.arrayContaining([expect.objectContaining({ operator: 'Google' })]));
});
