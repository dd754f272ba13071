import { jest } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Project } from '#libs/contracts';
import { InstanceClient } from './client.js';
import { exportVisits } from './visit-export.js';

const project = { id: 'p1', name: 'Shop' } as Project;

let server: Server;
let folder: string;
let asked: string;
let answer: (response: ServerResponse) => void;
let said: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked = request.url!;
    answer(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  said = [];
  jest.spyOn(console, 'error').mockImplementation((text: string) => void said.push(text));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

function run(signal = new AbortController().signal, filters = {}): Promise<void> {
  const client = new InstanceClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'agk_a');
  return exportVisits(client, project, { format: 'csv', output: join(folder, 'visits.csv'), filters }, signal);
}

describe('exportVisits', () => {
  it('writes the file and reports the number of visits', async () => {
    answer = (response) => response.end('id\r\n1\r\n2\r\n');
    await run(undefined, { agent: ['a', 'b'], mcp_tool: undefined, status: '4xx' });
    expect(asked).toBe('/api/projects/p1/visits/export?format=csv&agent=a&agent=b&status=4xx');
    expect(await readFile(join(folder, 'visits.csv'), 'utf8')).toBe('id\r\n1\r\n2\r\n');
    expect(said).toEqual([`Exported 2 visits (1 kB) to ${join(folder, 'visits.csv')}`]);
  });

  it('does not write through existing symbolic links', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'before');
    for (const name of ['visits.csv', 'visits.csv.part']) await symlink(victim, join(folder, name));
    answer = (response) => response.end('id\r\n1\r\n');
    await run();
    expect(await readFile(victim, 'utf8')).toBe('before');
    expect(await readFile(join(folder, 'visits.csv'), 'utf8')).toBe('id\r\n1\r\n');
  });

  it('keeps the existing file if the connection breaks off', async () => {
    await writeFile(join(folder, 'visits.csv'), 'before');
    answer = (response) => {
      response.write('id\r\n1\r\n', () => response.destroy());
    };
    await expect(run()).rejects.toThrow(/broke off after/);
    expect(await readdir(folder)).toEqual(['visits.csv']);
    expect(await readFile(join(folder, 'visits.csv'), 'utf8')).toBe('before');
  });

  it('stops when interrupted and leaves no file', async () => {
    const interrupt = new AbortController();
    answer = (response) => {
      response.write('id\r\n', () => interrupt.abort());
    };
    await expect(run(interrupt.signal)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports the error of the instance', async () => {
    answer = (response) => {
      response.writeHead(422).end(JSON.stringify({ detail: 'status must be a status' }));
    };
    await expect(run()).rejects.toThrow('422: status must be a status');
  });
});
