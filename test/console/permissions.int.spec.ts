import { jest } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { PermissionsSchema, validator, type Permissions } from '#libs/contracts';
import { LicensesRepository } from '../../apps/console/src/robots-versions/licenses.repository.js';
import { RobotsFetchesService } from '../../apps/console/src/robots-versions/robots-fetches.service.js';
import { App } from '../kit/app.js';
import { disposeSites, startSilentSite } from '../kit/site.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';

const MINUTE_MS = 60_000;
const GPTBOT = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
const GOOGLEBOT = { agent: 'Googlebot', type: 'Search Engine Crawler', operator: 'Google' };
const CHATGPT = { agent: 'ChatGPT-User', type: 'AI Assistant', operator: 'OpenAI' };

/** Compiles the schema without `$id`s, because the validator rejects a schema that contains one of them twice. */
const schema = validator(
  JSON.parse(JSON.stringify(PermissionsSchema, (key, value: unknown) => (key === '$id' ? undefined : value))) as never,
);

let app: App;
let time = Date.parse('2026-11-21T08:00:00Z');

beforeAll(async () => {
  app = await App.start({
    clock: () => time,
    testVisits: { allowPrivateAddresses: true, lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
  });
});
beforeEach(() => {
  time += MINUTE_MS;
});
afterAll(async () => {
  await app?.dispose();
  await disposeSites();
});

type Files = Record<string, { body?: string; status?: number; location?: string }>;

/** Creates a project for a site with mutable files. `HOST` in a file stands for the site's host. */
async function createSite(files: Files) {
  const requests: string[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request.url!);
    const file = files[request.url!];
    const { body = '', status = file === undefined ? 404 : 200, location } = file ?? {};
    response
      .writeHead(status, location === undefined ? {} : { location })
      .end(body.replaceAll('HOST', request.headers.host!));
  };
  const { port } = new URL(await startSilentSite(listener));
  const host = `shop.test:${port}`;
  const body = { name: 'Shop', site_address: `http://${host}/`, host_names: [host] };
  const { id } = (await app.api('POST', '/projects', body)).body as { id: string };
  return {
    id,
    host,
    files,
    requests,
    /** Fetches robots.txt and the licenses, and stores visits that it was in force for. */
    refresh: async (visits: readonly Omit<StoredVisit, 'at'>[] = []): Promise<void> => {
      time += MINUTE_MS;
      const { status, text } = await app.api('POST', `/projects/${id}/robots-versions/refresh`, {});
      if (status !== 200) throw new Error(text);
      const { hosts } = JSON.parse(text) as { hosts: { version: { id: string } | null }[] };
      time += MINUTE_MS;
      const version = hosts[0]!.version?.id ?? null;
      const stored = visits.map((visit, index) => ({
        at: new Date(time - 30_000 + index).toISOString(),
        insights: { robots: { verdict: 'allowed' as const, version, line: null } },
        ...visit,
      }));
      await storeVisits(app.database.dataSource, id, time, stored);
      time += MINUTE_MS;
    },
  };
}

async function read(id: string, query = ''): Promise<Permissions> {
  const { status, body, text } = await app.api('GET', `/projects/${id}/permissions${query}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(schema.faults(body)).toEqual([]);
  return body as unknown as Permissions;
}

const pages = (count: number, visit: Omit<StoredVisit, 'at' | 'path'>): Omit<StoredVisit, 'at'>[] =>
  Array.from({ length: count }, (_, index) => ({ path: `/page/${index}?x=1`, status: 200, ...visit }));
const withHeaders = (headers: Record<string, string | string[]>) => ({ extra: { response_headers: headers } });
const license = (terms: string): { body: string } => ({
  body: `<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>${terms}</license></content></rsl>`,
});
const listContradictions = ({ matrices }: Permissions): string[][] =>
  matrices.map(({ contradictions }) =>
    contradictions.map(
      ({ purpose, mechanism, restrictions }) =>
        `${purpose}: ${mechanism} < ${[...new Set(restrictions.map((statement) => statement.mechanism))].join(', ')}`,
    ),
  );

const CONTRADICTORY = `User-agent: *
Content-Signal: search=yes, ai-train=yes, ai-input=yes
Content-Usage: train-ai=n, search=y
Disallow: /cart

User-agent: GPTBot
Allow: /

User-agent: CCBot
Disallow: /
Content-Usage: train-ai=y

User-agent: ai-training
Disallow: /

License: http://HOST/license.xml
`;

describe('GET /api/projects/{id}/permissions', () => {
  it('finds exactly the seven contradictions of a site, and none once they are resolved', async () => {
    const site = await createSite({
      '/robots.txt': { body: CONTRADICTORY },
      '/license.xml': license('<prohibits type="usage">ai-input</prohibits>'),
    });
    await site.refresh([
      ...pages(4, { ...GOOGLEBOT, ...withHeaders({ 'X-Robots-Tag': ['noarchive', 'noindex'] }) }),
      ...pages(5, { ...CHATGPT, status: 403 }),
      ...pages(3, GPTBOT),
      // Impostors are refused for a good reason.
      ...pages(9, { ...GPTBOT, status: 403, result: 'verification_failed' }),
      { ...GPTBOT, path: '/robots.txt', status: 200 },
    ]);
    const found = await read(site.id);
    expect(found).toMatchObject({ host: site.host, sample: { visits: 12, is_partial: false } });
    expect(listContradictions(found)).toEqual([
      [
        'training: robots_rules < purpose_token',
        'training: content_signal < content_usage, purpose_token',
        'training: content_usage < robots_rules, purpose_token',
        'search: content_signal < x_robots_tag',
        'search: content_usage < x_robots_tag',
        'user: robots_rules < served',
        'user: content_signal < license',
      ],
    ]);
    const [matrix] = found.matrices;
    expect(matrix!.licenses).toMatchObject([{ url: `http://${site.host}/license.xml`, fault: null }]);
    expect(matrix!.purposes.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
      ['training', 'disallowed'],
      ['search', 'disallowed'],
      ['user', 'disallowed'],
    ]);
    expect(matrix!.purposes[2]!.answers).toMatchObject({ served: 0, refused: 5 });
    const refused = matrix!.contradictions.find(({ restrictions }) => restrictions[0]!.mechanism === 'served')!;
    expect(refused).toMatchObject({ agents: ['ChatGPT-User'], visits: 5 });
    expect(refused.examples).toHaveLength(5);
    expect(refused.examples[0]).toMatchObject({ agent_token: 'ChatGPT-User', status: 403, path: '/page/4' });
    expect((await app.api('GET', `/projects/${site.id}/visits/${refused.examples[0]!.id}`)).status).toBe(200);
    expect(matrix!.contradictions[3]).toMatchObject({
      visits: 4,
      examples: [{ agent_token: 'Googlebot' }, {}, {}, {}],
    });

    site.files['/robots.txt'] = {
      body: 'User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n, search=y\nDisallow: /cart\n\nUser-agent: GPTBot\nDisallow: /\n\nLicense: http://HOST/license.xml\n',
    };
    site.files['/license.xml'] = license('<permits>search</permits><prohibits>ai-train</prohibits>');
    await site.refresh([
      ...pages(4, { ...GOOGLEBOT, ...withHeaders({ 'content-usage': 'train-ai=n, search=y' }) }),
      ...pages(4, { ...CHATGPT }),
    ]);
    const [newest, older] = listContradictions(await read(site.id));
    expect(newest).toEqual([]);
    // The older version is compared with the current license, which no longer prohibits answers.
    expect(older).toContain('user: robots_rules < served');
    expect(older).not.toContain('user: content_signal < license');
  });

  it('describes licenses that are invalid or elsewhere, and does not follow redirects on private networks', async () => {
    const site = await createSite({
      '/robots.txt': {
        body: 'License: http://HOST/a.xml\nLicense: http://HOST/b.xml # old\nLicense: https://other.test/c.xml\nUser-agent: *\nContent-Signal: ai-train=yes\n',
      },
      '/a.xml': { body: '<!DOCTYPE rsl [<!ENTITY x "y">]><rsl/>' },
      '/b.xml': { location: '/admin', status: 302 },
    });
    await site.refresh();
    const { matrices } = await read(site.id);
    expect(matrices[0]!.licenses.map(({ fault }) => fault)).toEqual([
      'has a document type, which licenses must not have',
      "redirects to a URL that is not on the project's hosts",
      "is not on the project's hosts, which is required on private networks",
    ]);
    expect(matrices[0]!.contradictions).toEqual([]);
    expect(site.requests.toSorted()).toEqual(['/a.xml', '/b.xml', '/robots.txt']);
  });

  it('keeps a valid license while it cannot be fetched', async () => {
    const site = await createSite({
      '/robots.txt': { body: 'User-agent: *\nContent-Signal: ai-train=yes\n\nLicense: http://HOST/license.xml\n' },
      '/license.xml': license('<prohibits>ai-train</prohibits>'),
    });
    await site.refresh();
    site.files['/license.xml'] = { status: 503 };
    await site.refresh();
    const found = await read(site.id);
    expect(found.matrices[0]!.licenses).toMatchObject([{ fault: 'responds with status 503' }]);
    expect(listContradictions(found)).toEqual([['training: content_signal < license']]);
    site.files['/license.xml'] = { status: 404 };
    await site.refresh();
    expect(listContradictions(await read(site.id))).toEqual([[]]);
  });

  it('reads challenges, and long or malformed headers', async () => {
    const site = await createSite({ '/robots.txt': { body: 'User-agent: *\nContent-Usage: train-ai=y\n' } });
    await site.refresh([
      ...pages(3, { ...GPTBOT, status: 403, ...withHeaders({ 'CF-Mitigated': 'challenge' }) }),
      ...pages(2, { ...GOOGLEBOT, ...withHeaders({ 'Content-Usage': 'TRAIN-AI=n' }) }),
      ...pages(2, { ...GOOGLEBOT, ...withHeaders({ 'Content-Usage': `train-ai=n${' '.repeat(2_000)}` }) }),
      ...pages(1, { ...GOOGLEBOT, extra: { response_headers: null } }),
    ]);
    const found = await read(site.id);
    expect(listContradictions(found)).toEqual([['training: robots_rules < served']]);
    expect(found.matrices[0]!.purposes[0]!.answers).toMatchObject({ challenged: 3, refused: 0 });
  });

  it('returns a matrix without robots.txt, and checks the range and host', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'No host' })).body as { id: string };
    await storeVisits(
      app.database.dataSource,
      id,
      time,
      pages(4, { ...GPTBOT, status: 403 }).map((visit) => ({ at: new Date(time - 1_000).toISOString(), ...visit })),
    );
    time += MINUTE_MS;
    const found = await read(id);
    expect(found).toMatchObject({ host: null, matrices: [{ version: null, visits: 4, licenses: [] }] });
    expect(listContradictions(found)).toEqual([[]]);
    expect(found.matrices[0]!.purposes[0]!.cells[0]).toMatchObject({ mechanism: 'robots_rules', outcome: null });
    for (const query of ['?host=other.test', '?from=2026-09-01T00:00:00Z', '?from=2027-01-01T00:00:00Z']) {
      expect((await app.api('GET', `/projects/${id}/permissions${query}`)).status).toBe(422);
    }
  });

  it('fetches other licenses even if one cannot be stored', async () => {
    const site = await createSite({
      '/robots.txt': { body: 'License: http://HOST/a.xml\nLicense: http://HOST/b.xml\n' },
      '/a.xml': license('<permits>search</permits>'),
      '/b.xml': license('<permits>search</permits>'),
    });
    const repository = app.nest.get(LicensesRepository, { strict: false });
    const save = jest.spyOn(repository, 'save').mockRejectedValueOnce(new Error('invalid input syntax for type json'));
    await site.refresh();
    save.mockRestore();
    const [matrix] = (await read(site.id)).matrices;
    expect(matrix!.licenses.map(({ fault }) => fault).toSorted()).toEqual([null, "couldn't be processed"].toSorted());
    expect(await repository.claim(null, time, time)).toBeNull();
  });

  it('stores texts that are truncated within a character', async () => {
    const site = await createSite({
      '/robots.txt': { body: 'License: http://HOST/license.xml\n' },
      '/license.xml': license(`<permits>search</permits><payment type="${'x'.repeat(49)}\u{1F600}"/>`),
    });
    await site.refresh();
    expect((await read(site.id)).matrices[0]!.licenses).toMatchObject([{ fault: null }]);
  });

  it('replaces the licenses that robots.txt no longer links to', async () => {
    const site = await createSite({ '/c.xml': license('<permits>search</permits>') });
    const links = Array.from({ length: 25 }, (_, index) => `License: http://HOST/a${index}.xml\n`);
    site.files['/robots.txt'] = { body: links.join('') };
    await site.refresh();
    const countFetched = (): number => site.requests.filter((path) => /^\/a\d/.test(path)).length;
    expect(countFetched()).toBe(20);
    site.files['/robots.txt'] = { body: 'License: http://HOST/c.xml\n' };
    await site.refresh();
    expect((await read(site.id)).matrices[0]!.licenses).toMatchObject([{ fault: null, checked_at: expect.anything() }]);
    expect(countFetched()).toBe(20);
    expect(await app.nest.get(LicensesRepository, { strict: false }).list(site.id)).toHaveLength(1);
  });

  it('does not fetch the licenses of other projects', async () => {
    const site = await createSite({ '/robots.txt': { body: 'License: http://HOST/license.xml\n' } });
    const other = await createSite({ '/robots.txt': { body: 'License: http://HOST/license.xml\n' } });
    await app.nest.get(RobotsFetchesService, { strict: false }).refreshProject(other.id);
    await site.refresh();
    expect(other.requests).toEqual(['/robots.txt']);
    expect((await read(other.id)).matrices[0]!.licenses).toMatchObject([{ checked_at: null, fault: null }]);
  });
});
