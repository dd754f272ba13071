import { jest } from '@jest/globals';
import { Command } from 'commander';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StatementKey } from '#libs/contracts';
import { createStatementKey, signStatement, type SigningKey } from '#libs/statements';
import { InstanceClient } from '../client.js';
import { reportCommand } from './report.command.js';
import { statementCommand } from './statement.command.js';

const HTML = '<!doctype html>\n<title>Statement of fetches by A&amp;B, 2026-11-01 to 2026-11-30</title>\n';
const NDJSON =
  '{"record":"statement","title":"Statement of fetches by A\\u001b","first_day":"2026-11-01","last_day":"2026-11-30"}\n';

let folder: string;
let server: Server;
let requests: URL[];
let keys: StatementKey[];
let signingKey: SigningKey;
let output: string;
let exitCode: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'statement-'));
  const { publicKey, privateKey } = await createStatementKey();
  signingKey = { id: publicKey.kid, privateKey };
  keys = [{ ...publicKey, use: 'sig', alg: 'Ed25519', created_at: '2026-10-01T00:00:00.000Z', replaced_at: null }];
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    requests.push(url);
    if (url.pathname.endsWith('/statement')) {
      response.end(createFile(HTML));
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (url.pathname === '/api/projects') response.end(JSON.stringify({ projects: [{ id: 'p1', name: 'My site' }] }));
    else if (url.pathname === '/api/statement-keys') response.end(JSON.stringify(keys[0]));
    else response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  [output, exitCode, requests] = ['', 0, []];
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (output += `${text}\n`));
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

const createFile = (body: string): string => body + signStatement(Buffer.from(body), signingKey);

async function run(...args: string[]): Promise<void> {
  const connect = () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return Promise.resolve({ client: new InstanceClient(url, 'agk_a'), token: undefined });
  };
  const program = new Command().enablePositionalOptions();
  program.addCommand(reportCommand(connect));
  program.addCommand(statementCommand(connect, (code) => void (exitCode = code)));
  await program.parseAsync(args, { from: 'user' });
}

async function save(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

it('downloads a statement to a file', async () => {
  const file = join(folder, 'downloaded.html');
  const days = ['--from', '2026-11-01', '--to', '2026-12-01'];
  await run('report', 'statement', '--operator', 'A&B', ...days, '--output', file, '--with-addresses');
  expect(await readFile(file, 'utf8')).toBe(createFile(HTML));
  expect(requests.at(-1)!.pathname).toBe('/api/projects/p1/statement');
  expect(Object.fromEntries(requests.at(-1)!.searchParams)).toEqual({
    operator: 'A&B',
    format: 'html',
    addresses: 'include',
    from: '2026-11-01',
    to: '2026-12-01',
  });
});

it.each([
  ['html', HTML, 'Statement of fetches by A&B, 2026-11-01 to 2026-11-30'],
  ['ndjson', NDJSON, 'Statement of fetches by A\\x1b, 2026-11-01 to 2026-11-30'],
])('verifies a statement in %s offline, and rejects a changed one', async (format, body, title) => {
  const keyFile = await save('keys.json', JSON.stringify({ keys }));
  const file = await save(`statement.${format}`, createFile(body));
  await run('statement', 'verify', file, '--key', keyFile);
  expect(output).toContain(`Valid: ${title}\n`);
  expect(output).toContain(`Key        ${signingKey.id} (Ed25519), created on 2026-10-01, still in use`);
  expect([exitCode, requests]).toEqual([0, []]);
  await save(`statement.${format}`, createFile(body).replace('Statement', 'statement'));
  output = '';
  await run('statement', 'verify', file, '--key', keyFile);
  expect(output).toBe('Not valid: The signature does not match: the file was changed, or another key signed it.\n');
  expect(exitCode).toBe(1);
});

it("uses the connected instance's keys by default, or those at a URL", async () => {
  const file = await save('online.html', createFile(HTML));
  await run('statement', 'verify', file);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys.json`;
  await run('statement', 'verify', file, '--key', url);
  expect(requests.map(({ pathname }) => pathname)).toEqual([
    '/.well-known/agent-traffic-statement-keys.json',
    '/keys.json',
  ]);
  expect(output).toContain(`Keys from  ${url}`);
});

it.each([
  [['missing.html'], "Can't read missing.html: no such file or directory"],
  [['FILE', '--key', 'missing.json'], "Can't read --key missing.json: no such file or directory"],
  [['FILE', '--key', 'FILE'], "doesn't contain public keys of statements"],
  [['FILE', '--key', 'http://127.0.0.1:1/keys'], "Can't get the keys from http://127.0.0.1:1/keys"],
])('reports a usage error for %j', async (args, message) => {
  const file = await save('usage.html', createFile(HTML));
  const command = run('statement', 'verify', ...args.map((arg) => (arg === 'FILE' ? file : arg)));
  await expect(command).rejects.toMatchObject({ message: expect.stringContaining(message), exitCode: 2 });
});

it('replaces the key', async () => {
  await run('statement', 'replace-key');
  expect(output).toBe(`New statements are signed with the key ${signingKey.id}.\n`);
});
