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
let requestedUrl: string;
let respond: (response: ServerResponse) => void;
let messages: string[];

beforeAll(async () => {
  server = createServer((request, response) => {
    requestedUrl = request.url!;
    respond(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  messages = [];
  jest.spyOn(console, 'error').mockImplementation((text: string) => void messages.push(text));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true });
});

function run(signal = new AbortController().signal, filters = {}, idleTimeoutMs?: number): Promise<void> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new InstanceClient(url, 'agk_a', idleTimeoutMs);
  return exportVisits(client, project, { format: 'csv', output: join(folder, 'visits.csv'), filters }, signal);
}

describe('exportVisits', () => {
  it('writes the file and reports the number of visits', async () => {
    respond = (response) => response.end('id\r\n1\r\n2\r\n');
    await run(undefined, { agent: ['a', 'b'], mcp_tool: undefined, status: '4xx' });
    expect(requestedUrl).toBe('/api/projects/p1/visits/export?format=csv&agent=a&agent=b&status=4xx');
    expect(await readFile(join(folder, 'visits.csv'), 'utf8')).toBe('id\r\n1\r\n2\r\n');
    expect(messages).toEqual([`Exported 2 visits (1 kB) to ${join(folder, 'visits.csv')}`]);
  });

  it('does not write through existing symbolic links', async () => {
    const victim = join(folder, 'victim');
    await writeFile(victim, 'before');
    for (const name of ['visits.csv', 'visits.csv.part']) await symlink(victim, join(folder, name));
    respond = (response) => response.end('id\r\n1\r\n');
    await run();
    expect(await readFile(victim, 'utf8')).toBe('before');
    expect(await readFile(join(folder, 'visits.csv'), 'utf8')).toBe('id\r\n1\r\n');
  });

  it('leaves an existing file unchanged if the connection is lost', async () => {
    await writeFile(join(folder, 'visits.csv'), 'before');
    respond = (response) => {
      response.write('id\r\n1\r\n', () => response.destroy());
    };
    await expect(run()).rejects.toThrow(/failed after/);
    expect(await readdir(folder)).toEqual(['visits.csv']);
    expect(await readFile(join(folder, 'visits.csv'), 'utf8')).toBe('before');
  });

  it('fails and leaves no file behind if the instance stalls', async () => {
    respond = (response) => void response.write('id\r\n1\r\n');
    await expect(run(undefined, {}, 500)).rejects.toThrow(
      'The export failed after 1 visit (1 kB): the instance sent no data for 0.5 s.',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves no file behind if it is interrupted', async () => {
    const interrupt = new AbortController();
    respond = (response) => {
      response.write('id\r\n', () => interrupt.abort());
    };
    await expect(run(interrupt.signal)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });

  it("reports the instance's error", async () => {
    respond = (response) => {
      response.writeHead(422).end(JSON.stringify({ detail: 'status must be a status' }));
    };
    await expect(run()).rejects.toThrow('status must be a status');
  });
});
