import type { RequestListener } from 'node:http';
import { MAX_ROBOTS_VERSIONS } from '#libs/contracts';
import { MAX_ROBOTS_BYTES } from '#libs/robots';
import { RobotsFetchesService } from '../../apps/console/src/robots-versions/robots-fetches.service.js';
import { RobotsVersionsRepository } from '../../apps/ingest/src/robots-versions.repository.js';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { parseRobots } from '../kit/parse-robots.js';
import { Person } from '../kit/person.js';
import { selectRobotsAgents, createRobotsFiles, ROBOTS_PATHS } from '../kit/robots-fixtures.js';
import { disposeSites, startSilentSite } from '../kit/site.js';
import { createMember, createTenant, UNKNOWN_ID, PASSWORD, type Tenant } from '../kit/tenant.js';
import { readVisits } from '../kit/visit-store.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const GPTBOT = { 'user-agent': 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)' };

let app: App;
let admin: Person;
/** Starts two weeks in the past, because visits can't be in the future. */
let time = Date.now() - 14 * 24 * HOUR_MS;

beforeAll(async () => {
  app = await App.start({
    clock: () => time,
    testVisits: { allowPrivateAddresses: true, lookup: async () => [{ address: '127.0.0.1', family: 4 }] },
  });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
beforeEach(() => {
  time += HOUR_MS;
});
afterAll(async () => {
  await app?.dispose();
  await disposeSites();
});

interface ServedRobots {
  status?: number;
  text?: string;
  headers?: Record<string, string>;
}

/** Number of visits sent so far to find out whether a version has taken effect. */
let probeVisits = 0;

/** Creates a site with a mutable robots.txt, and a project for the site. */
async function createSite(first: ServedRobots, name = 'shop.test') {
  const state = { served: first, asked: [] as string[] };
  const listener: RequestListener = (request, response) => {
    state.asked.push(`${request.url}${request.headers['if-none-match'] ?? ''}`);
    const { status = 200, text = '', headers = {} } = state.served;
    const etag = headers['etag'];
    const isUnmodified = etag !== undefined && request.headers['if-none-match'] === etag;
    response.writeHead(isUnmodified ? 304 : status, headers).end(isUnmodified ? undefined : text);
  };
  const { port } = new URL(await startSilentSite(listener));
  const host = `${name}:${port}`;
  const body = { name, site_address: `http://${host}/`, host_names: [host] };
  const { id } = (await app.api('POST', '/projects', body)).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  const url = `/projects/${id}/robots-versions`;
  return {
    id,
    host,
    state,
    url,
    refresh: async (): Promise<Json> => (await app.api('POST', `${url}/refresh`, {})).body.hosts[0],
    versions: async (): Promise<Json[]> => (await app.api('GET', url)).body.versions,
    record: (version: object) => app.api('POST', url, version),
    post: (visits: object[]) => app.post('/visits', visits, { authorization: `Bearer ${token}` }),
    /** Waits until the path has `count` visits. @returns the visits */
    visits: (path: string, count: number): Promise<Json[]> =>
      until(
        async () => {
          const { visits } = (await app.api('GET', `/projects/${id}/visits?path=${path}&limit=1000`)).body;
          return visits.length === count && visits;
        },
        { condition: `${count} visits to ${path} are stored` },
      ),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
const visit = (path: string, at: number, headers: object = GPTBOT) => ({
  request_path: path,
  request_method: 'GET',
  request_headers: headers,
  created: iso(at),
});

it('evaluates each visit against the version served at the time', async () => {
  const site = await createSite({ text: 'User-agent: *\nDisallow: /private/' });
  const start = time;
  await site.refresh();
  time += HOUR_MS;
  site.state.served = { text: '# Now for GPTBot\nUser-agent: GPTBot\nDisallow: /\nAllow: /press/' };
  await site.refresh();
  time += HOUR_MS;
  site.state.served = { status: 404 };
  await site.refresh();
  time += HOUR_MS;
  const [third, second, first] = await site.versions();
  expect([first, second, third]).toMatchObject([
    { served_from: iso(start), served_until: iso(start + HOUR_MS), status: 200 },
    { served_from: iso(start + HOUR_MS), served_until: iso(start + 2 * HOUR_MS), status: 200 },
    { served_from: iso(start + 2 * HOUR_MS), served_until: null, status: 404, size: null, digest: null },
  ]);
  const paths = ['/private/a', '/press/a', '/robots.txt'];
  const minutes = Array.from({ length: 50 }, (_, index) => index * 4 - 10);
  // Ingest reloads the versions within seconds.
  await until(
    async () => {
      const path = `/wait-${Math.random()}`;
      await site.post([visit(path, start)]);
      return (await site.visits(path, 1))[0].robots.verdict !== 'unknown';
    },
    { condition: 'the versions are in effect' },
  );
  await site.post(minutes.flatMap((minute) => paths.map((path) => visit(path, start + minute * MINUTE_MS))));
  await site.post([visit('/private/a', start, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' })]);
  const evaluatedVisits = (await site.visits('/p', 101)).concat(await site.visits('/robots.txt', 50));
  const expected = (path: string, minute: number): object => {
    if (path === '/robots.txt') return { verdict: 'allowed', line: null };
    if (minute < 0) return { verdict: 'unknown', version: null, line: null };
    if (minute >= 120) return { verdict: 'no_rules', version: third.id, line: null };
    if (path === '/private/a') return { verdict: 'disallowed', ...(minute < 60 ? at(first, 2) : at(second, 3)) };
    return { verdict: 'allowed', ...(minute < 60 ? at(first, null) : at(second, 4)) };
  };
  const at = ({ id }: Json, line: number | null) => ({ version: id, line });
  for (const { visit: reported, occurred_at: occurredAt, robots, identification } of evaluatedVisits) {
    const minute = (Date.parse(occurredAt) - start) / MINUTE_MS;
    const { request_path: path } = reported;
    if (identification.agent_id === null) expect(robots).toBeUndefined();
    else expect([path, minute, robots]).toEqual([path, minute, expect.objectContaining(expected(path, minute))]);
  }
  site.state.served = { text: 'User-agent: *\nDisallow: /' };
  const { version } = await site.refresh();
  await until(
    async () => {
      const path = `/after-${Math.random()}`;
      await site.post([visit(path, time)]);
      const [{ robots }] = await site.visits(path, 1);
      return robots.verdict === 'disallowed' && robots.version === version.id;
    },
    { condition: 'visits are evaluated against the new version' },
  );
});

it('evaluates 5,000 visits by 100 agents like robots-parser', async () => {
  const files = createRobotsFiles();
  const site = await createSite({});
  const start = time - 10 * HOUR_MS;
  const ids: string[] = [];
  for (const [index, text] of files.entries()) {
    ids.push((await site.record({ text, served_from: iso(start + index * HOUR_MS) })).body.id);
  }
  const parsers = files.map((text) => parseRobots(`https://${site.host}/robots.txt`, text));
  await until(
    async () => {
      await site.post([visit('/wait', start)]);
      return (await site.visits('/wait', (probeVisits += 1)))[0].robots.verdict !== 'unknown';
    },
    { condition: 'the versions are in effect' },
  );
  const agents = selectRobotsAgents();
  const visits = agents.flatMap(({ sample_user_agents: samples }, of) =>
    ROBOTS_PATHS.map((path, at) => {
      const headers = { 'user-agent': samples![0], host: site.host };
      return visit(path, start + ((of + at) % files.length) * HOUR_MS + MINUTE_MS, headers);
    }),
  );
  expect(visits).toHaveLength(5_000);
  for (let from = 0; from < visits.length; from += 1_000) await site.post(visits.slice(from, from + 1_000));
  const readStored = async () =>
    (await readVisits(app.database.dataSource, site.id)).filter(({ path }) => path !== '/wait');
  await until(async () => (await readStored()).length === visits.length, {
    condition: 'all visits are stored',
    timeoutMs: 150_000,
  });
  const stored = await readStored();
  const byToken = new Map(agents.map(({ token, robots_token: robotsToken }) => [token, robotsToken]));
  const wrong = stored.filter(({ path, occurred_at: at, document }) => {
    const { identification, robots } = JSON.parse(document) as Json;
    const index = Math.floor((at - start) / HOUR_MS);
    const isAllowed = parsers[index]!.isAllowed(
      `https://${site.host}${path}`,
      byToken.get(identification.agent_token)!,
    );
    return robots.version !== ids[index] || robots.verdict !== (isAllowed ? 'allowed' : 'disallowed');
  });
  expect(wrong).toEqual([]);
});

it('stores each text once and sends conditional requests', async () => {
  const etag = { etag: '"one"' };
  const site = await createSite({ text: 'User-agent: *\nDisallow: /', headers: etag });
  const { version } = await site.refresh();
  time += HOUR_MS;
  expect(await site.refresh()).toMatchObject({ checked_at: iso(time), fault: null, version });
  expect(site.state.asked).toEqual(['/robots.txt', '/robots.txt"one"']);
  // Another refresh within 10 s isn't sent to the site.
  time += 9_000;
  await site.refresh();
  expect(site.state.asked).toHaveLength(2);
  // Restoring an earlier text creates a new version that shares the stored text.
  time += HOUR_MS;
  site.state.served = { text: 'User-agent: *\nDisallow: /b' };
  await site.refresh();
  time += HOUR_MS;
  site.state.served = { text: 'User-agent: *\nDisallow: /', headers: etag };
  await site.refresh();
  const versions = await site.versions();
  expect(versions.map(({ digest }) => digest)).toEqual([version.digest, expect.anything(), version.digest]);
  const [{ texts }] = await app.database.dataSource.query(
    `SELECT count(*)::int AS texts FROM robots_texts WHERE encode(digest, 'hex') = $1`,
    [version.digest],
  );
  expect(texts).toBe(1);
});

it('retains the last version for 24 hours after failures start, then records the site as unreachable', async () => {
  const site = await createSite({ text: 'User-agent: *\nDisallow: /private/' });
  const { version } = await site.refresh();
  site.state.served = { status: 503 };
  time += 23 * HOUR_MS;
  expect(await site.refresh()).toMatchObject({ fault: 'responds with status 503', version });
  time += 2 * HOUR_MS;
  expect(await site.refresh()).toMatchObject({ version: { status: 503, served_from: iso(time), digest: null } });
  time += HOUR_MS;
  site.state.served = { text: 'User-agent: *\nDisallow: /private/' };
  expect(await site.refresh()).toMatchObject({ fault: null, version: { status: 200, digest: version.digest } });
  expect(await site.versions()).toHaveLength(3);
});

it("reads up to 500 KiB and doesn't follow redirects to other paths on private networks", async () => {
  const site = await createSite({ text: `User-agent: *\nDisallow: /a\n${'# filler\n'.repeat(60_000)}Disallow: /b` });
  const { version } = await site.refresh();
  expect(version).toMatchObject({ is_cut: true, status: 200 });
  expect(version.size).toBeLessThanOrEqual(MAX_ROBOTS_BYTES);
  const { body } = await app.api('GET', `${site.url}/${version.id}`);
  expect(body.text.endsWith('# filler\n')).toBe(true);
  time += HOUR_MS;
  site.state.served = { status: 301, headers: { location: '/elsewhere' } };
  expect(await site.refresh()).toMatchObject({
    fault: expect.stringContaining('redirects to a different path'),
    version,
  });
  expect(site.state.asked).toEqual(['/robots.txt', '/robots.txt']);
});

it("doesn't fetch from private addresses", async () => {
  const other = await App.start({});
  const hosts = ['shop.internal', '127.0.0.1', '169.254.169.254', 'localhost'];
  const { id } = (await other.api('POST', '/projects', { name: 'Inside', host_names: hosts })).body;
  const { body } = await other.api('POST', `/projects/${id}/robots-versions/refresh`, {});
  expect(body.hosts.map(({ host, fault, version }: Json) => [host, fault !== null, version])).toEqual(
    hosts.map((host) => [host, true, null]),
  );
  await other.dispose();
});

it('shares a fetch among concurrent requests for the same host', async () => {
  const site = await createSite({ text: 'User-agent: *' });
  await Promise.all(Array.from({ length: 5 }, () => site.refresh()));
  const fetches = app.nest.get(RobotsFetchesService);
  await Promise.all([fetches.refreshDue(), fetches.refreshDue()]);
  expect(site.state.asked).toEqual(['/robots.txt']);
  // By now, the next scheduled fetch is due.
  time += HOUR_MS;
  await Promise.all([fetches.refreshDue(), fetches.refreshDue()]);
  expect(site.state.asked).toEqual(['/robots.txt', '/robots.txt']);
  expect(await site.versions()).toHaveLength(1);
});

describe('project whose hosts never finish their responses', () => {
  /** Creates a project whose hosts don't respond until `end()` is called. `held` contains the pending requests. */
  async function endlessProject() {
    const held = new Set<() => void>();
    let isEnded = false;
    const requestedHosts: string[] = [];
    const url = await startSilentSite((request, response) => {
      requestedHosts.push(request.headers.host!);
      response.writeHead(200);
      const end = (): void => void response.end();
      if (isEnded) return end();
      held.add(end);
      request.on('close', () => held.delete(end));
    });
    const hosts = Array.from({ length: 12 }, (_, index) => `endless${index}.test:${new URL(url).port}`);
    const body = { name: 'Endless', site_address: `http://${hosts[0]}/`, host_names: hosts };
    const { id } = (await app.api('POST', '/projects', body)).body;
    return {
      asked: requestedHosts,
      held,
      refresh: () => app.api('POST', `/projects/${id}/robots-versions/refresh`, {}),
      end: (): void => {
        isEnded = true;
        for (const end of held) end();
      },
    };
  }

  it("doesn't let unfinished responses block another project's requested fetches", async () => {
    const endless = await endlessProject();
    const refreshes = Array.from({ length: 4 }, () => endless.refresh());
    await until(async () => endless.held.size === 2, { condition: 'two hosts have been requested' });
    const site = await createSite({ text: 'User-agent: *' });
    expect(await site.refresh()).toMatchObject({ fault: null });
    // No pending request was aborted.
    expect(endless.asked).toHaveLength(2);
    expect(endless.held.size).toBe(2);
    endless.end();
    await Promise.all(refreshes);
    expect(new Set(endless.asked).size).toBe(12);
    expect(endless.asked).toHaveLength(12);
  });

  it("doesn't let unfinished responses block another project's scheduled fetches", async () => {
    const site = await createSite({ text: 'User-agent: *' });
    await site.refresh();
    const endless = await endlessProject();
    time += 2 * HOUR_MS;
    const refreshed = app.nest.get(RobotsFetchesService).refreshDue();
    await until(async () => endless.held.size === 2 && site.state.asked.length === 2, {
      condition: "both projects' hosts have been requested",
    });
    expect(endless.asked).toHaveLength(2);
    endless.end();
    await refreshed;
    expect(endless.asked).toHaveLength(12);
  });
});

it("ends a host's version when the host is removed from the project", async () => {
  const site = await createSite({ text: 'User-agent: *' });
  await site.refresh();
  time += HOUR_MS;
  await app.api('PATCH', `/projects/${site.id}`, { host_names: [], site_address: null });
  expect((await app.api('POST', `${site.url}/refresh`, {})).body).toEqual({ hosts: [] });
  expect(await site.versions()).toMatchObject([{ host: site.host, served_until: iso(time) }]);
});

describe('recorded version', () => {
  const text = (path: string): string => `User-agent: *\nDisallow: /${path}`;

  it('inserts a recorded version into the timeline at its start time', async () => {
    const site = await createSite({ text: text('fetched') });
    await site.refresh();
    const start = time;
    time += 10 * HOUR_MS;
    const record = async (path: string, hour: number) =>
      (await site.record({ text: text(path), served_from: iso(start + hour * HOUR_MS) })).body;
    const early = await record('early', -5);
    const later = await record('later', 5);
    expect(
      (await site.versions()).map(({ served_from: from, served_until: to, is_recorded: is }) => [from, to, is]),
    ).toEqual([
      [iso(start + 5 * HOUR_MS), null, true],
      [iso(start), iso(start + 5 * HOUR_MS), false],
      [iso(start - 5 * HOUR_MS), iso(start), true],
    ]);
    // Recording the same text again has no effect, unless an earlier start time extends the version.
    expect(await record('later', 7)).toEqual(later);
    expect(await record('fetched', -1)).toMatchObject({ served_from: iso(start - HOUR_MS), is_recorded: true });
    expect((await site.versions()).at(-1)).toEqual({ ...early, served_until: iso(start - HOUR_MS) });
    expect((await site.record({ text: text('x'), served_from: later.served_from })).status).toBe(409);
    // The next fetched version takes precedence again.
    expect(await site.refresh()).toMatchObject({ version: { is_recorded: false, served_from: iso(time) } });
  });

  it('leaves a recorded version in effect when no file can be fetched', async () => {
    const site = await createSite({ status: 403 });
    const { body } = await site.record({ text: text('private') });
    time += 48 * HOUR_MS;
    expect(await site.refresh()).toMatchObject({ fault: 'responds with status 403', version: { id: body.id } });
  });

  it.each([403, 503])(
    'lets a recorded version override earlier and later fetches that failed with %s',
    async (status) => {
      const [first, second] = [await createSite({ status }), await createSite({ status })];
      const from = iso(time - HOUR_MS);
      await first.refresh();
      time += HOUR_MS;
      for (const { record } of [first, second]) {
        expect((await record({ text: text('private'), served_from: from })).body).toMatchObject({ served_until: null });
      }
      time += 48 * HOUR_MS;
      for (const { refresh, versions } of [first, second]) {
        await refresh();
        expect(await versions()).toMatchObject([{ status: 200, served_from: from, served_until: null }]);
      }
    },
  );

  it('preserves earlier failures and all fetched files when a version is recorded', async () => {
    const site = await createSite({ status: 503 });
    const start = time;
    const at = (hour: number): string => iso(start + hour * HOUR_MS);
    await site.refresh();
    site.state.served = { text: text('fetched') };
    time = start + 4 * HOUR_MS;
    await site.refresh();
    // After a failure, crawlers continue to use the last file for 24 hours.
    site.state.served = { status: 503 };
    time = start + 30 * HOUR_MS;
    await site.refresh();
    await site.record({ text: text('b'), served_from: at(2) });
    await site.record({ text: text('c'), served_from: at(6) });
    const timeline = async () =>
      (await site.versions()).map(({ served_from: from, status, is_recorded: is }) => [from, status, is]).toReversed();
    const rest = [
      [at(2), 200, true],
      [at(4), 200, false],
      [at(6), 200, true],
      [at(30), 503, false],
    ];
    expect(await timeline()).toEqual([[at(0), 503, false], ...rest]);
    // This version applies instead of the failure from the time it starts, because no file had been fetched by then.
    await site.record({ text: text('a'), served_from: at(0) });
    expect(await timeline()).toEqual([[at(0), 200, true], ...rest]);
  });

  it('extends the existing period across a failed fetch when the same content is recorded again', async () => {
    const site = await createSite({ status: 503 });
    const version = { text: text('private'), served_from: iso(time - HOUR_MS) };
    const { body } = await site.record(version);
    // Recreate the state in which the failed fetch is the first one.
    await app.database.dataSource.query(
      `WITH ended AS (UPDATE robots_versions SET served_until = $2 WHERE id = $1 RETURNING *)
       INSERT INTO robots_versions (id, project_id, host, served_from, status, is_recorded)
       SELECT gen_random_uuid(), project_id, host, $2, 503, false FROM ended`,
      [body.id, iso(time)],
    );
    expect((await site.record(version)).body).toEqual({ ...body, served_until: null });
    expect(await site.versions()).toHaveLength(1);
  });

  it('records a version with status 404 and no text', async () => {
    const site = await createSite({});
    expect((await site.record({ status: 404, host: site.host.toUpperCase() })).body).toMatchObject({
      status: 404,
      host: site.host,
      size: null,
    });
  });

  it("stores a recorded version's own status, even if crawlers treat another status the same way", async () => {
    const site = await createSite({ text: text('fetched') });
    await site.refresh();
    const start = time;
    site.state.served = { status: 500 };
    time += 30 * HOUR_MS;
    await site.refresh();
    const early = iso(time - HOUR_MS);
    expect((await site.record({ status: 503, served_from: early })).body).toMatchObject({
      status: 503,
      served_from: early,
      served_until: iso(time),
    });
    time += HOUR_MS;
    expect((await site.record({ status: 502 })).body).toMatchObject({ status: 502, served_from: iso(time) });
    expect((await site.versions()).map(({ served_from: from, status, is_recorded: is }) => [from, status, is])).toEqual(
      [
        [iso(time), 502, true],
        [iso(time - HOUR_MS), 500, false],
        [early, 503, true],
        [iso(start), 200, false],
      ],
    );
  });

  it.each<[object, string]>([
    [{}, '/text'],
    [{ text: 'x', status: 404 }, '/text'],
    [{ status: 301 }, '/status'],
    [{ text: 'x', host: 'other.test' }, '/host'],
    [{ text: 'x', served_from: '2999-01-01T00:00:00Z' }, '/served_from'],
    [{ text: 'x', served_from: 'now' }, '/served_from'],
    [{ text: '\0' }, '/text'],
  ])('rejects a recorded version with %j', async (body, pointer) => {
    const site = await createSite({});
    const response = await site.record(body);
    expect([response.status, response.body.errors?.[0].pointer]).toEqual([422, pointer]);
  });

  it('records a version only if the project has a host name', async () => {
    const { id } = (await app.api('POST', '/projects', { name: 'No host' })).body;
    const { status, body } = await app.api('POST', `/projects/${id}/robots-versions`, { text: 'x' });
    expect([status, body.detail]).toEqual([
      422,
      expect.stringContaining('/host cannot be determined, because the project has no host names'),
    ]);
  });

  it("deletes a recorded version with its text after the retention period, unless it's in effect", async () => {
    const site = await createSite({});
    await site.record({ text: text('gone'), served_from: iso(time - HOUR_MS) });
    await site.record({ text: text('in force') });
    const repository = app.nest.get(RobotsVersionsRepository);
    const listTexts = async (): Promise<string[]> =>
      (await app.database.dataSource.query(`SELECT text FROM robots_texts`)).map((row: Json) => row.text);
    const today = Math.floor(Date.now() / (24 * HOUR_MS));
    // The retention period starts on the recording date, even if the version was served long before that.
    await repository.deleteBefore(today);
    expect(await site.versions()).toHaveLength(2);
    await repository.deleteBefore(today + 1);
    expect(await site.versions()).toMatchObject([{ served_until: null }]);
    expect(await listTexts()).toEqual(expect.arrayContaining([text('in force')]));
    expect(await listTexts()).not.toContain(text('gone'));
  });

  it('lists recorded versions newest first, in pages, up to a limit', async () => {
    const site = await createSite({});
    const start = time - 1_000 * MINUTE_MS;
    for (let index = 0; index < MAX_ROBOTS_VERSIONS + 5; index++) {
      await site.record({ text: text(String(index)), served_from: iso(start + index * MINUTE_MS) });
    }
    const seen: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await app.api('GET', `${site.url}?limit=90${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.versions);
      cursor = body.next_cursor;
    }
    expect(seen).toHaveLength(MAX_ROBOTS_VERSIONS);
    expect(seen.map(({ served_from: from }) => from)).toEqual(
      Array.from({ length: MAX_ROBOTS_VERSIONS }, (_, index) =>
        iso(start + (MAX_ROBOTS_VERSIONS + 4 - index) * MINUTE_MS),
      ),
    );
    expect((await app.api('GET', `${site.url}?host=other.test`)).body.versions).toEqual([]);
  });
});

it("shows a version's text and signals only to project members", async () => {
  const ours: Tenant = await createTenant(app, admin, 'Ours');
  const theirs: Tenant = await createTenant(app, admin, 'Theirs');
  const viewer = await createMember(admin, ours.id, 'viewer');
  const url = `/projects/${ours.id}/robots-versions`;
  const body = {
    text: 'User-agent: *\nContent-Signal: ai-train=no\nCrawl-delay: 2\nSitemap: https://shop.example/s.xml',
  };
  time += HOUR_MS;
  const { body: version } = await ours.owner.call('POST', url, body);
  const read = await viewer.call('GET', `${url}/${version.id}`);
  const none = { path: null, preferences: [], url: null, seconds: null, user_agents: ['*'] };
  expect(read.body).toEqual({
    ...version,
    text: body.text,
    signals: [
      {
        ...none,
        kind: 'content-signal',
        line: 2,
        text: 'Content-Signal: ai-train=no',
        preferences: [{ name: 'ai-train', value: 'no' }],
      },
      { ...none, kind: 'crawl-delay', line: 3, text: 'Crawl-delay: 2', seconds: 2 },
      {
        ...none,
        kind: 'sitemap',
        line: 4,
        text: 'Sitemap: https://shop.example/s.xml',
        url: 'https://shop.example/s.xml',
        user_agents: [],
      },
    ],
  });
  expect((await viewer.call('POST', url, body)).status).toBe(403);
  expect((await viewer.call('POST', `${url}/refresh`, {})).status).toBe(403);
  expect((await theirs.owner.call('GET', `/projects/${theirs.id}/robots-versions/${version.id}`)).status).toBe(404);
  expect((await theirs.owner.call('GET', url)).status).toBe(404);
  expect((await viewer.call('GET', `${url}/${UNKNOWN_ID}`)).status).toBe(404);
});
