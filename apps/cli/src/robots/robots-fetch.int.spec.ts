import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EgressPolicy } from '#libs/evidence';
import { fetchRobots, robotsEgress } from './robots-fetch.js';
import { MAX_ROBOTS_BYTES } from '#libs/robots';
import { readRobots } from './robots-source.js';

let server: Server;
let site: string;
let requestedUrls: string[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    requestedUrls.push(request.url!);
    respond(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  requestedUrls = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetchSite = (url = `${site}/robots.txt`) => fetchRobots(url, robotsEgress(true));
/** Redirects the given number of times, then responds with a robots.txt. */
const redirect = (times: number, status: number) => {
  respond = ({ url }, response) => {
    const hop = Number(/\d+$/.exec(url!)?.[0] ?? 0);
    if (hop === times) response.end('User-agent: *');
    else response.writeHead(status, { location: `/hop${hop + 1}#x` }).end();
  };
};

it("fetches a site's robots.txt, or a file at an exact URL", async () => {
  respond = (_, response) => response.end('User-agent: *\nDisallow: /');
  expect(await readRobots(site, true)).toMatchObject({
    name: `${site}/robots.txt`,
    file: { groups: [{ rules: [{ path: '/' }] }] },
    missing: null,
  });
  await readRobots(`${site}/#a`, true);
  await readRobots(`${site}/other.txt?a=b`, true);
  expect(requestedUrls).toEqual(['/robots.txt', '/robots.txt', '/other.txt?a=b']);
});

it.each([301, 302, 303, 307, 308])(
  'follows five redirects with status %d (RFC 9309 section 2.3.1.2)',
  async (status) => {
    redirect(5, status);
    expect(await fetchSite()).toMatchObject({ url: `${site}/hop5`, status: 200 });
    expect(requestedUrls).toEqual(['/robots.txt', '/hop1', '/hop2', '/hop3', '/hop4', '/hop5']);
    redirect(6, status);
    await expect(fetchSite()).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('more than 5 times'),
    });
  },
);

it('rejects redirects to other schemes, with credentials or without a location', async () => {
  respond = (_, response) => response.writeHead(302, { location: 'ftp://127.0.0.1/' }).end();
  await expect(fetchSite()).rejects.toMatchObject({ message: expect.stringContaining('it must use http or https') });
  respond = (_, response) => response.writeHead(302, { location: 'http://user:secret@127.0.0.1/' }).end();
  await expect(fetchSite()).rejects.toMatchObject({ message: expect.stringContaining('user name') });
  respond = (_, response) => response.writeHead(302).end();
  await expect(fetchSite()).rejects.toMatchObject({ message: expect.stringContaining('redirects to an invalid URL') });
});

it('blocks a redirect from a public site to a private address', async () => {
  respond = (_, response) => response.writeHead(302, { location: `${site}/inside` }).end();
  const isFirst = () => requestedUrls.length === 0;
  // Tests can't reach a public site, so the policy allows a private address for the first request.
  const policy: EgressPolicy = {
    ...robotsEgress(false),
    allowedPorts: 'any',
    get allowPrivateAddresses() {
      return isFirst();
    },
  };
  await expect(fetchRobots(`${site}/robots.txt`, policy)).rejects.toMatchObject({
    exitCode: 2,
    message: `The request to ${site}/inside was blocked: it contains an IP address instead of a host name.`,
    hint: expect.stringContaining('--allow-private'),
  });
  expect(requestedUrls).toEqual(['/robots.txt']);
});

it('treats a 4xx response as a missing robots.txt (section 2.3.1.3)', async () => {
  for (const status of [400, 401, 403, 404, 410, 429]) {
    respond = (_, response) => response.writeHead(status).end('User-agent: *\nDisallow: /');
    expect(await readRobots(site, true)).toMatchObject({ missing: status, file: { groups: [] } });
  }
});

it('fails for 5xx responses (section 2.3.1.4) and other unexpected statuses', async () => {
  for (const status of [204, 304, 500, 503]) {
    respond = (_, response) => response.writeHead(status).end();
    await expect(readRobots(site, true)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`status ${status}`),
    });
  }
});

it('reads only the first 500 KiB (section 2.5)', async () => {
  respond = (_, response) => response.end(`User-agent: *\n${'#'.repeat(MAX_ROBOTS_BYTES)}\nDisallow: /`);
  expect(await readRobots(site, true)).toMatchObject({ file: { isTruncated: true, groups: [{ rules: [] }] } });
});

it('fails if the site does not respond', async () => {
  respond = (_, response) => response.destroy();
  await expect(readRobots(site, true)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(`Can't fetch ${site}/robots.txt`),
  });
});
