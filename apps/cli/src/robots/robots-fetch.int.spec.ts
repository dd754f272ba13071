import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EgressPolicy } from '#libs/evidence';
import { fetchRobots, robotsEgress } from './robots-fetch.js';
import { MAX_ROBOTS_BYTES } from '#libs/robots';
import { readRobots } from './robots-source.js';

let server: Server;
let site: string;
let asked: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url!);
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetched = (url = `${site}/robots.txt`) => fetchRobots(url, robotsEgress(true));
/** Redirects `times` times, then responds with a file. */
const redirecting = (times: number, status: number) => {
  answer = ({ url }, response) => {
    const hop = Number(/\d+$/.exec(url!)?.[0] ?? 0);
    if (hop === times) response.end('User-agent: *');
    else response.writeHead(status, { location: `/hop${hop + 1}#x` }).end();
  };
};

it('fetches the robots.txt of a site, or the exact URL of a file', async () => {
  answer = (_, response) => response.end('User-agent: *\nDisallow: /');
  expect(await readRobots(site, true)).toMatchObject({
    name: `${site}/robots.txt`,
    file: { groups: [{ rules: [{ path: '/' }] }] },
    missing: null,
  });
  await readRobots(`${site}/#a`, true);
  await readRobots(`${site}/other.txt?a=b`, true);
  expect(asked).toEqual(['/robots.txt', '/robots.txt', '/other.txt?a=b']);
});

it.each([301, 302, 303, 307, 308])(
  'follows five redirects with status %d (RFC 9309 section 2.3.1.2)',
  async (status) => {
    redirecting(5, status);
    expect(await fetched()).toMatchObject({ url: `${site}/hop5`, status: 200 });
    expect(asked).toEqual(['/robots.txt', '/hop1', '/hop2', '/hop3', '/hop4', '/hop5']);
    redirecting(6, status);
    await expect(fetched()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('more than 5 times'),
    });
  },
);

it('rejects redirects to other schemes, with credentials or without a location', async () => {
  answer = (_, response) => response.writeHead(302, { location: 'ftp://127.0.0.1/' }).end();
  await expect(fetched()).rejects.toMatchObject({ message: expect.stringContaining('not http or https') });
  answer = (_, response) => response.writeHead(302, { location: 'http://user:secret@127.0.0.1/' }).end();
  await expect(fetched()).rejects.toMatchObject({ message: expect.stringContaining('user name') });
  answer = (_, response) => response.writeHead(302).end();
  await expect(fetched()).rejects.toMatchObject({ message: expect.stringContaining('redirects to nowhere') });
});

it('refuses a redirect from a public site to a private address', async () => {
  answer = (_, response) => response.writeHead(302, { location: `${site}/inside` }).end();
  const isFirst = () => asked.length === 0;
  // Tests can't reach a public site, so the policy treats the first address as public.
  const policy: EgressPolicy = {
    ...robotsEgress(false),
    allowedPorts: 'any',
    get allowPrivateAddresses() {
      return isFirst();
    },
  };
  await expect(fetchRobots(`${site}/robots.txt`, policy)).rejects.toMatchObject({
    exitCode: 2,
    message: `${site}/inside is not fetched: it names an address instead of a host.`,
    hint: expect.stringContaining('--allow-private'),
  });
  expect(asked).toEqual(['/robots.txt']);
});

it('treats 4xx as no robots.txt (section 2.3.1.3)', async () => {
  for (const status of [400, 401, 403, 404, 410, 429]) {
    answer = (_, response) => response.writeHead(status).end('User-agent: *\nDisallow: /');
    expect(await readRobots(site, true)).toMatchObject({ missing: status, file: { groups: [] } });
  }
});

it('rejects 5xx (section 2.3.1.4) and other unexpected statuses', async () => {
  for (const status of [204, 304, 500, 503]) {
    answer = (_, response) => response.writeHead(status).end();
    await expect(readRobots(site, true)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`status ${status}`),
    });
  }
});

it('reads only the first 500 KiB (section 2.5)', async () => {
  answer = (_, response) => response.end(`User-agent: *\n${'#'.repeat(MAX_ROBOTS_BYTES)}\nDisallow: /`);
  expect(await readRobots(site, true)).toMatchObject({ file: { isCut: true, groups: [{ rules: [] }] } });
});

it('reports that the site does not respond', async () => {
  answer = (_, response) => response.destroy();
  await expect(readRobots(site, true)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`Can't fetch ${site}/robots.txt`),
  });
});
