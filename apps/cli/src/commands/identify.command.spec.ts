import { jest } from '@jest/globals';
import { Command } from 'commander';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { InstanceClient } from '../client.js';
import { identifyCommand } from './identify.command.js';

let server: Server;
let body: unknown;
let output: string;
let projects: object[];
const identification = {
  result: 'unknown_agent',
  agent_token: null,
  method: null,
  reason: null,
  catalog_version: '0123',
  evidence: {
    user_agent_match: null,
    client_address_source: null,
    client_address_reason: 'no_address_header',
    steps: [],
  },
};

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const isList = request.url === '/api/projects';
    if (!isList) body = await json(request);
    response.end(JSON.stringify(isList ? { projects } : { client_address: null, identification }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => server.close());
beforeEach(() => {
  output = '';
  projects = [{ id: 'p1', name: 'My site' }];
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (output += text));
});
afterEach(() => jest.restoreAllMocks());

async function run(...args: string[]): Promise<void> {
  const client = new InstanceClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'agk_a');
  const program = new Command().enablePositionalOptions();
  program.addCommand(identifyCommand(() => Promise.resolve({ client, token: undefined })));
  await program.parseAsync(['identify', ...args], { from: 'user' });
}

it('sends the headers, path and project', async () => {
  await run('-H', 'User-Agent: x', '-p', 'my site', '--path', '/a', '--json');
  expect(body).toEqual({ project_id: 'p1', request_path: '/a', request_headers: { 'User-Agent': 'x' } });
  expect(JSON.parse(output)).toEqual({ client_address: null, identification });
});

it('uses the only project by default, or no project if there are several', async () => {
  await run('-H', 'User-Agent: x');
  expect(body).toEqual({ project_id: 'p1', request_headers: { 'User-Agent': 'x' } });
  projects.push({ id: 'p2', name: 'My shop' });
  await run('-H', 'User-Agent: x');
  expect(body).toEqual({ request_headers: { 'User-Agent': 'x' } });
});

it.each([[['--']], [[]]])(
  'parses options that follow curl as curl options, with the separator %j',
  async (separator) => {
    const curl = ['curl', 'https://example.com/a', '-H', 'User-Agent: x', '--json', '{}'];
    await run('-H', 'X-Forwarded-For: 192.0.2.7', ...separator, ...curl);
    expect(body).toMatchObject({
      request_method: 'POST',
      request_path: '/a',
      request_headers: { Host: 'example.com', 'User-Agent': 'x', 'X-Forwarded-For': '192.0.2.7', ':scheme': 'https' },
    });
    expect(output).toContain('no known agent');
  },
);
