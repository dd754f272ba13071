import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { spawnProgram } from '../../../test/kit/child-program.js';
import { eventually, Sandbox } from '../../../test/kit/postgres-sandbox.js';
import { readProcessInfo } from './process-info.js';

let sandbox: Sandbox;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  sandbox = await Sandbox.create();
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
  await sandbox.close();
});

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url);
  // The server may close the connection, and an unhandled `error` event would crash the test.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const readPostmasterPid = async (cluster: string): Promise<number> =>
  Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);

function startInChild(): ChildProcess {
  const program = `import { EmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))};
    const write = () => {};
    const log = { debug: write, info: write, warn: write, error: write };
    const { url } = await EmbeddedPostgres.start({ dataDirectory: ${JSON.stringify(sandbox.dataDirectory)}, log });
    console.log(url);`;
  const child = spawnProgram(program);
  children.add(child);
  return child;
}

async function readFirstLine(child: ChildProcess): Promise<string> {
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  return line;
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

describe('EmbeddedPostgres', () => {
  it('creates a UTF-8 database that retains its data and password across restarts', async () => {
    const first = await sandbox.start();
    expect(first.url).toMatch(/^postgres:\/\/agent_traffic:[\w-]{32}@127\.0\.0\.1:\d+\/agent_traffic$/);
    const [settings] = await query(
      first.url,
      `SELECT current_user AS user, current_database() AS database, pg_encoding_to_char(encoding) AS encoding, datlocale,
        current_setting('unix_socket_directories') AS sockets, current_setting('listen_addresses') AS addresses,
        current_setting('TimeZone') AS zone, current_setting('wal_compression') AS compression, upper('é') AS upper
        FROM pg_database WHERE datname = current_database()`,
    );
    expect(settings).toEqual({
      user: 'agent_traffic',
      database: 'agent_traffic',
      encoding: 'UTF8',
      datlocale: 'C.UTF-8',
      sockets: '',
      addresses: '127.0.0.1',
      zone: 'UTC',
      compression: 'pglz',
      upper: 'É',
    });
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(sandbox.messages.filter((message) => /^(warn|error)/.test(message))).toEqual([]);

    const second = await sandbox.start();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(second.url.replace(/:\d+\//, '')).toBe(first.url.replace(/:\d+\//, ''));
    const { mode } = await stat(join(sandbox.dataDirectory, 'postgres-password'));
    expect(mode & 0o777).toBe(0o600);
    await expect(query(second.url.replace(/:[\w-]{32}@/, ':wrong@'), 'SELECT 1')).rejects.toThrow(/password/);
  });

  it('recreates a database whose creation was interrupted', async () => {
    const child = startInChild();
    const unfinished = async () => {
      const name = (await readdir(sandbox.dataDirectory)).find((entry) => entry.startsWith('postgres.unfinished-'));
      await stat(join(sandbox.dataDirectory, name!, 'cluster', 'base'));
    };
    await eventually(unfinished);
    await killAndWait(child);
    await expect(unfinished()).resolves.toBeUndefined();
    const { url } = await sandbox.start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(sandbox.dataDirectory)).sort()).toEqual(['postgres', 'postgres-password']);
  });
});

describe('EmbeddedPostgres supervision', () => {
  it('restarts a killed server on the same port', async () => {
    const postgres = await sandbox.start();
    const { url, clusterDirectory } = postgres;
    await query(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    const pidBeforeCrash = await readPostmasterPid(clusterDirectory);
    process.kill(pidBeforeCrash, 'SIGKILL');
    await eventually(async () => expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]));
    expect(await readPostmasterPid(clusterDirectory)).not.toBe(pidBeforeCrash);
    expect(sandbox.messages).toContainEqual(
      expect.stringContaining('error: the database stopped unexpectedly: it was killed by SIGKILL'),
    );
    await eventually(async () =>
      expect(sandbox.messages).toContain('info: the database is accepting connections again'),
    );
  });

  it('stops the server while a restart is pending or connections are open', async () => {
    const postgres = await sandbox.start();
    process.kill(await readPostmasterPid(postgres.clusterDirectory), 'SIGKILL');
    await eventually(async () => expect(sandbox.messages.join()).toContain('the database stopped unexpectedly'));
    await postgres.stop();
    // Wait longer than the restart delay.
    await sleep(500);
    await expect(query(postgres.url, 'SELECT 1')).rejects.toThrow(/ECONNREFUSED/);

    const restarted = await sandbox.start();
    const pendingQuery = query(restarted.url, 'SELECT pg_sleep(60)').catch((error: Error) => error);
    await eventually(async () =>
      expect(await query(restarted.url, `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`)).toHaveLength(1),
    );
    await restarted.stop();
    expect(sandbox.messages.join('\n')).toMatch(/received fast shutdown request[^]*database system is shut down/);
    expect(sandbox.messages.join('\n')).not.toContain('immediate shutdown');
    expect(await pendingQuery).toBeInstanceOf(Error);
  });

  (process.platform === 'linux' ? it : it.skip)(
    "runs the server in its own session, so Ctrl-C doesn't reach it",
    async () => {
      const { clusterDirectory } = await sandbox.start();
      const pid = await readPostmasterPid(clusterDirectory);
      const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
      expect([fields[2], fields[3]]).toEqual([`${pid}`, `${pid}`]);
    },
  );

  it('stops the orphaned server of a killed process', async () => {
    const child = startInChild();
    const orphanUrl = await readFirstLine(child);
    await query(orphanUrl, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await killAndWait(child);
    const orphan = await readPostmasterPid(join(sandbox.dataDirectory, 'postgres'));
    expect(await query(orphanUrl, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);

    const { url } = await sandbox.start();
    expect(await readProcessInfo(orphan)).toBeUndefined();
    expect(await query(url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(sandbox.messages).toContain('warn: stopping a PostgreSQL server left running by an earlier process');
  });

  it("doesn't stop an unrelated process that reuses an earlier server's process ID", async () => {
    const first = await sandbox.start();
    const cluster = first.clusterDirectory;
    const file = join(cluster, 'postmaster.pid');
    const pidFile = await readFile(file, 'utf8');
    await first.stop();
    // Run this process as the server's user, so that the server can see it.
    const { uid, gid } = await stat(cluster);
    const unrelatedProcess = spawn('/bin/sleep', ['60'], { uid, gid, cwd: '/' });
    children.add(unrelatedProcess);
    await writeFile(file, pidFile.replace(/^\d+/, String(unrelatedProcess.pid)));
    await chmod(file, 0o644);

    const second = await sandbox.start();
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(unrelatedProcess.exitCode ?? unrelatedProcess.signalCode).toBeNull();
  });
});

describe('EmbeddedPostgres port', () => {
  async function occupy(port: number): Promise<Server> {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  it('chooses another port if a different process takes the first one', async () => {
    const server = await occupy(0);
    const occupiedAddress = server.address() as AddressInfo;
    const addressSpy = jest.spyOn(Server.prototype, 'address').mockReturnValueOnce(occupiedAddress);
    const { url } = await sandbox.start();
    addressSpy.mockRestore();
    server.close();
    expect(sandbox.messages.join()).toContain('could not bind');
    expect(url).not.toContain(`:${occupiedAddress.port}/`);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('keeps the same port after a crash, even if the server must wait for it', async () => {
    const { url, clusterDirectory } = await sandbox.start();
    process.kill(await readPostmasterPid(clusterDirectory), 'SIGKILL');
    await eventually(async () => expect(sandbox.messages.join()).toContain('the database stopped unexpectedly'));
    const server = await occupy(Number(new URL(url).port));
    await eventually(async () => expect(sandbox.messages).toContain("error: the database couldn't be restarted"));
    server.close();
    await eventually(async () => expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]));
  });
});

describe('EmbeddedPostgres startup', () => {
  it('rejects a database created by another PostgreSQL version', async () => {
    const first = await sandbox.start();
    await first.stop();
    await writeFile(join(first.clusterDirectory, 'PG_VERSION'), '16\n');
    await expect(sandbox.start()).rejects.toThrow(/created by PostgreSQL 16, but this release includes PostgreSQL 18/);
  });

  it("includes PostgreSQL's output in the error", async () => {
    const first = await sandbox.start();
    await first.stop();
    await writeFile(join(first.clusterDirectory, 'postgresql.conf'), 'nonsense = 1\n');
    await expect(sandbox.start()).rejects.toThrow(/^PostgreSQL didn't start: it exited with code 1\.[^]*nonsense/);
  });

  it('sets a new password if the password file is missing', async () => {
    const first = await sandbox.start();
    await first.stop();
    await rm(join(sandbox.dataDirectory, 'postgres-password'));
    const second = await sandbox.start();
    expect(second.url).not.toBe(first.url);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
