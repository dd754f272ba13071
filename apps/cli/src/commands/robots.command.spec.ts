import { jest } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { AGENT_TYPES } from '#libs/contracts';
import { run as runCommandLine } from '../main.js';

/** Fake instance that records its requests. */
let server: Server;
let folder: string;
let requests: { path: string; authorization: string | undefined; body: unknown }[];
let respond: (response: ServerResponse) => void;
let output: Buffer;
let errors: string;
let log: string;
const RULES = 'User-agent: GPTBot\nDisallow: /\n';
const variables = { ...process.env };
const { isTTY } = process.stderr;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'robots-'));
  server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    requests.push({ path: request.url!, authorization, body: await json(request) });
    const isJson = (requests.at(-1)!.body as { format?: string }).format === 'json';
    response.setHeader('content-type', isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8');
    respond(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [requests, output, errors, log] = [[], Buffer.alloc(0), '', ''];
  process.stderr.isTTY = false;
  respond = (response) => response.setHeader('content-type', 'text/plain; charset=utf-8').end(RULES);
  process.env['AGENT_TRAFFIC_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env['AGENT_TRAFFIC_TOKEN'] = 'agt_a';
  jest.spyOn(process.stdout, 'write').mockImplementation((bytes: string | Uint8Array) => {
    output = Buffer.concat([output, Buffer.from(bytes as Uint8Array)]);
    return true;
  });
  jest
    .spyOn(process.stderr, 'write')
    .mockImplementation((text: string | Uint8Array) => Boolean((errors += String(text))));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void (errors += `${text}\n`));
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (log += `${text}\n`));
});
afterEach(() => {
  process.env = { ...variables };
  process.stderr.isTTY = isTTY;
  jest.restoreAllMocks();
});

const run = (...args: string[]): Promise<number> => runCommandLine(['robots', ...args], '/nowhere');
const bodies = (): unknown[] => requests.map(({ body }) => body);

describe('render', () => {
  it('sends content signals, content usage and the license', async () => {
    const license = 'https://shop.example/license.xml';
    const options = [
      '--content-signal',
      'search=yes, AI-train=n',
      '--content-usage',
      'train-ai=no',
      '--license',
      license,
    ];
    expect(await run('render', '--type', 'Scraper', ...options)).toBe(0);
    expect(bodies()).toEqual([
      {
        agent_types: ['Scraper'],
        content_signal: { search: true, ai_train: false },
        content_usage: { train_ai: false },
        license,
        format: 'blocks',
      },
    ]);
    for (const wrong of ['ai-train', 'ai-train=maybe', 'train-ai=no', '']) {
      expect(await run('render', '--type', 'Scraper', '--content-signal', wrong)).toBe(2);
    }
    expect(await run('render', '--type', 'Scraper', '--format', 'apache', '--license', license)).toBe(2);
    expect(errors).toContain("--license only applies to robots.txt and can't be combined with --format apache.");
    expect(requests).toHaveLength(1);
  });

  it('writes the response bytes as received', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d, 0x00, 0x0a]);
    respond = (response) => response.setHeader('content-type', 'text/plain').end(bytes);
    expect(await run('render', '--type', 'ai data scraper', '--type', 'Scraper', '--type', 'scraper')).toBe(0);
    expect(output).toEqual(bytes);
    expect([errors, log]).toEqual(['', '']);
    expect(requests).toEqual([
      {
        path: '/robots-txts',
        authorization: 'Bearer agt_a',
        body: { agent_types: ['AI Data Scraper', 'Scraper'], format: 'blocks' },
      },
    ]);
  });

  it('sends every selected option', async () => {
    await run(
      'render',
      '--all-types',
      ...'--exclude-agent a --exclude-agent b --exclude-operator O'.split(' '),
      '--disallow',
      '',
    );
    await run('render', '--type', 'headless agent', '--format', 'grouped', '--disallow', '/x');
    expect(bodies()).toEqual([
      {
        agent_types: AGENT_TYPES,
        excluded_agent_tokens: ['a', 'b'],
        excluded_operator_names: ['O'],
        disallow: '',
        format: 'blocks',
      },
      { agent_types: ['Automated Agent'], disallow: '/x', format: 'grouped' },
    ]);
  });

  it.each(['json', 'text', 'nginx-map', 'apache', 'caddy', 'haproxy'])(
    'requests a list in the %s format',
    async (format) => {
      await run('render', '--type', 'Scraper', '--format', format);
      expect(requests).toMatchObject([{ path: '/user-agent-token-lists', body: { agent_types: ['Scraper'], format } }]);
    },
  );

  it('writes to standard output if the output path is "-"', async () => {
    expect(await run('render', '--type', 'Scraper', '--output', '-')).toBe(0);
    expect([output.toString(), errors]).toEqual([RULES, '']);
  });

  it('writes a file and reports the changes on standard error', async () => {
    const file = join(folder, 'agents.map');
    expect(await run('render', '--type', 'Scraper', '--output', file)).toBe(0);
    expect(await run('render', '--type', 'Scraper', '--output', file)).toBe(0);
    respond = (response) => response.end(`${RULES}\nUser-agent: x\nDisallow: /\n`);
    expect(await run('render', '--type', 'Scraper', '--output', file)).toBe(0);
    respond = (response) => response.end('User-agent: y\nDisallow: /\n');
    expect(await run('render', '--type', 'Scraper', '--output', file)).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('User-agent: y\nDisallow: /\n');
    expect([output.toString(), log]).toEqual(['', '']);
    expect(errors).toBe(
      `Wrote ${file}: 2 lines.\nChanged ${file}: 2 lines added, 0 removed.\nChanged ${file}: 1 line added, 3 removed.\n`,
    );
  });

  it('leaves the file unchanged if the response is invalid or incomplete', async () => {
    const file = join(folder, 'kept');
    await writeFile(file, 'kept');
    const badResponses: [typeof respond, string][] = [
      [(response) => response.writeHead(503).end(), 'responded with an error: Service Unavailable.'],
      [
        (response) => response.writeHead(200, { 'content-length': 100 }).end(RULES),
        "Can't reach the Agent Traffic instance",
      ],
      [(response) => response.write(RULES, () => response.destroy()), "Can't reach the Agent Traffic instance"],
      [(response) => response.setHeader('content-type', 'text/html').end('<html>'), "isn't an Agent Traffic instance"],
      [
        (response) => response.setHeader('content-type', 'application/json').end('{}'),
        "isn't an Agent Traffic instance",
      ],
    ];
    for (const [one, expected] of badResponses) {
      respond = one;
      expect(await run('render', '--type', 'Scraper', '--output', file)).toBe(1);
      expect(errors).toContain(expected);
      errors = '';
    }
    expect(await readFile(file, 'utf8')).toBe('kept');
  });

  it('rejects an output path that is not a regular file before it sends a request', async () => {
    expect(await run('render', '--type', 'Scraper', '--output', folder)).toBe(2);
    expect(errors).toContain('not a regular file');
    expect(requests).toEqual([]);
  });

  it("updates only its own section in a site's robots.txt", async () => {
    const file = join(folder, 'robots.txt');
    await writeFile(file, 'User-agent: GPTBot\nAllow: /press/\n');
    expect(await run('render', '--type', 'Scraper', '--into', file)).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(
      `User-agent: GPTBot\nAllow: /press/\n\n# agent-traffic begin\n${RULES}# agent-traffic end\n`,
    );
    expect(errors).toContain(`Changed ${file}: 4 lines added, 0 removed.`);
    expect(errors).toContain('GPTBot (line 1)');
    errors = '';
    expect(await run('render', '--type', 'Scraper', '--into', file)).toBe(0);
    expect(errors).toBe('');
    process.stderr.isTTY = true;
    expect(await run('render', '--type', 'Scraper', '--into', file)).toBe(0);
    expect(errors).toContain('is up to date');
    await writeFile(file, 'User-agent: *\nCrawl-delay: 9\n');
    expect(await run('render', '--type', 'Scraper', '--into', file)).toBe(0);
    expect(await readFile(file, 'utf8')).toBe(
      `User-agent: *\nCrawl-delay: 9\n\n# agent-traffic begin\nDisallow:\n${RULES}# agent-traffic end\n`,
    );
  });

  it("preserves edits to a site's robots.txt made during the request", async () => {
    const file = join(folder, 'edited.txt');
    await writeFile(file, 'User-agent: a\nDisallow: /\n');
    respond = (response) => {
      void writeFile(file, 'User-agent: b\nDisallow: /\n').then(() => response.end(RULES));
    };
    expect(await run('render', '--type', 'Scraper', '--into', file)).toBe(0);
    expect(await readFile(file, 'utf8')).toMatch(/^User-agent: b\nDisallow: \/\n\n# agent-traffic begin\n/);
  });
});

describe('diff', () => {
  const site = async (text: string): Promise<string> => {
    const file = join(folder, 'site.txt');
    await writeFile(file, text);
    return file;
  };

  it('exits with status 0 if the files are equivalent and with status 1 otherwise', async () => {
    expect(await run('diff', await site('User-agent: *\nDisallow: /'), '--type', 'Scraper', '--disallow', '/')).toBe(0);
    expect(log).toContain('No differences (1 agent compared).');
    expect(bodies()).toEqual([{ agent_types: ['Scraper'], disallow: '/', format: 'blocks' }]);
    log = '';
    expect(await run('diff', await site('User-agent: gptbot\nDisallow: /x'), '--all-types')).toBe(1);
    expect(log).toContain('Different rules: found "Disallow: /x", expected "Disallow: /":\n  GPTBot (line 1)');
    expect(errors).toBe('');
  });

  it('exits with status 2 if it cannot compare the files', async () => {
    expect(await run('diff', '/no/such', '--all-types')).toBe(2);
    expect(errors).toContain('A URL must start with https://');
    expect(await run('diff', 'http://127.0.0.1:1/', '--all-types')).toBe(2);
    respond = (response) => response.writeHead(503).end();
    expect(await run('diff', await site(''), '--all-types')).toBe(2);
    process.env['AGENT_TRAFFIC_URL'] = 'http://127.0.0.1:1';
    expect(await run('diff', await site(''), '--all-types')).toBe(2);
  });
});

it.each([
  ['render', 'No agents selected'],
  ['render', 'Types: AI Agent, AI Assistant'],
  ['diff robots.txt', 'No agents selected'],
  ['render --type Robot', 'Allowed choices are AI Agent, AI Assistant'],
  ['render --type Scraper --all-types', 'cannot be used with'],
  ['render --type Scraper --output a --into b', 'cannot be used with'],
  ['render --type Scraper --output=', 'The file name is empty'],
  ['render --type Scraper --format iis', 'Allowed choices are blocks, grouped, json'],
  [
    'render --type Scraper --format caddy --disallow /',
    "--disallow only applies to robots.txt and can't be combined with",
  ],
  ['render --type Scraper --format json --into a', '--into only applies to robots.txt'],
  ['diff --all-types', "missing required argument 'file|url|-'"],
])('exits with status 2 for "%s"', async (command, expected) => {
  expect(await run(...command.split(' '))).toBe(2);
  expect(errors).toContain(expected);
  expect(requests).toEqual([]);
});
