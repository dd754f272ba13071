import { get } from 'node:http';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { PLAIN_SITES, type PlainSite } from './plain-sites.js';

const COUNT = 200;
/**
 * Servers to test. Gunicorn is left out, because it differs from wsgiref in only one way, which the nightly test
 * covers.
 */
const SERVERS = ['wsgiref', 'uvicorn', 'php -S', 'PHP-FPM'] as const;
const HEADERS = {
  'user-agent': 'GPTBot/1.2',
  referer: 'https://a.example/?token=abc',
  'x-forwarded-for': '198.51.100.9',
  cookie: 'session=abc',
  authorization: 'Bearer abc',
};

let instance: Instance;
let client: Client;

beforeAll(async () => {
  instance = await Instance.start({ env: CREDENTIALS_ENV });
  client = new Client({ url: instance.url, ...CREDENTIALS });
});
afterAll(() => instance.dispose());

/** Requests an endless response and disconnects after the first chunk. */
const disconnectEarly = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(url, (response) => {
      response.once('data', () => {
        response.destroy();
        resolve();
      });
    }).once('error', reject);
    request.setTimeout(10_000);
  });

describe.each(SERVERS)('client on %s', (name) => {
  let site: PlainSite;
  const folder = `/${name.replaceAll(' ', '')}`;
  /** Returns visits to a path. PHP's built-in server sends visits at most once a second, and only during a request. */
  const fetchVisits = async (path: string) => {
    if (name === 'php -S') await fetch(`${site.url}${folder}/later`);
    return (await client.visits({ path: `${folder}${path}` })).map(({ visit }) => visit);
  };
  const waitUntilRecorded = (path: string, count: number) =>
    until(
      async () => {
        const visits = await fetchVisits(path);
        return visits.length >= count && visits;
      },
      { condition: `${count} visits to ${path} are recorded`, explain: () => site.output.slice(-2_000) },
    );

  beforeAll(async () => {
    site = await PLAIN_SITES[name]({ url: instance.url, accessToken: CREDENTIALS.accessToken });
  });
  afterAll(() => site.dispose());

  it("reports a visit's request and response without credentials", async () => {
    const response = await fetch(`${site.url}${folder}/caf%C3%A9/tea?code=abc&cups=2`, { headers: HEADERS });
    expect([response.status, await response.text()]).toEqual([418, 'page']);
    const [visit] = await waitUntilRecorded('/caf', 1);
    expect(visit).toMatchObject({
      request_path: `${folder}/caf%C3%A9/tea?code=[redacted]&cups=2`,
      request_method: 'GET',
      request_headers: {
        'user-agent': 'GPTBot/1.2',
        referer: 'https://a.example/?token=[redacted]',
        'x-forwarded-for': '198.51.100.9',
        cookie: '[redacted]',
        authorization: '[redacted]',
      },
      client_address: '127.0.0.1',
      response_status_code: 418,
      response_duration_in_milliseconds: expect.any(Number),
    });
    const headers = Object.entries(visit!.response_headers!).map(([key, value]) => [key.toLowerCase(), value]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/plain/),
      'set-cookie': '[redacted]',
    });
  });

  it('reports server errors and aborted responses', async () => {
    expect((await fetch(`${site.url}${folder}/broken`)).status).toBe(500);
    await disconnectEarly(`${site.url}${folder}/endless`);
    const [[broken], [endless]] = [await waitUntilRecorded('/broken', 1), await waitUntilRecorded('/endless', 1)];
    expect(broken).toMatchObject({ response_status_code: 500 });
    expect(endless).toMatchObject({ response_status_code: 200, response_aborted: true });
  });

  it('fetches rules, identifies requests, and blocks agents', async () => {
    const text = async (path: string, headers = {}) => {
      const response = await fetch(`${site.url}${folder}${path}`, { headers });
      return `${response.status} ${await response.text()}`;
    };
    expect(await text('/robots.txt')).toMatch(/^200 .*User-agent: GPTBot\nDisallow: \/\n/s);
    expect(await text('/tokens')).toContain('"GPTBot"');
    expect(await text('/identify')).toMatch(/"agent_token": ?"GPTBot"/);
    expect(await text('/guarded')).toBe('200 page');
    expect(await text('/guarded', { 'user-agent': 'GPTBot/1.2' })).toBe('402 Payment Required\n');
  });

  it(`records each request once (${COUNT} in total), including those completed just before SIGTERM`, async () => {
    for (let number = 0; number < COUNT; number += 4) {
      const paths = Array.from({ length: 4 }, (_, index) => `${site.url}${folder}/numbered/${number + index}`);
      await Promise.all(paths.map(async (url) => (await fetch(url)).arrayBuffer()));
    }
    if (name === 'php -S') await waitUntilRecorded('/numbered', COUNT);
    await site.stop();
    if (name === 'PHP-FPM') await site.flush();
    const visits = await until(
      async () => {
        const found = await client.visits({ path: `${folder}/numbered` });
        return found.length >= COUNT && found;
      },
      { condition: 'all visits are recorded', explain: () => site.output.slice(-2_000) },
    );
    expect(visits).toHaveLength(COUNT);
    expect(new Set(visits.map(({ visit }) => visit.request_path)).size).toBe(COUNT);
  });
});
