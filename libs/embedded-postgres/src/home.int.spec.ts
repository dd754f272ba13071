import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { Sandbox } from '../../../test/kit/postgres-sandbox.js';
import type { EmbeddedPostgres } from './embedded-postgres.js';

let sandbox: Sandbox;

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

const describeAsRoot = process.geteuid?.() === 0 ? describe : describe.skip;
describeAsRoot('EmbeddedPostgres in a folder that only root can access', () => {
  const clusterDirectories: string[] = [];

  beforeEach(async () => {
    sandbox = await Sandbox.create();
    await chmod(sandbox.root, 0o700);
  });
  afterEach(async () => {
    await sandbox.close();
    for (const cluster of clusterDirectories.splice(0)) {
      const home = dirname(cluster);
      for (const name of await readdir(dirname(home)).catch(() => [])) {
        const path = join(dirname(home), name);
        if (path.startsWith(home)) await rm(path, { recursive: true, force: true });
      }
    }
  });

  async function startAndTrack(directory = sandbox.dataDirectory): Promise<EmbeddedPostgres> {
    const postgres = await sandbox.start(directory);
    clusterDirectories.push(postgres.clusterDirectory);
    return postgres;
  }

  it('stores the database in a separate folder and finds it after a restart', async () => {
    const first = await startAndTrack();
    expect(first.clusterDirectory.startsWith(sandbox.root)).toBe(false);
    expect(await readFile(join(sandbox.dataDirectory, 'postgres.location'), 'utf8')).toBe(
      `${first.clusterDirectory}\n`,
    );
    expect(sandbox.messages.filter((message) => message.includes('is stored in'))).toHaveLength(1);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await startAndTrack();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect((await stat(second.clusterDirectory)).uid).not.toBe(0);
  });

  it('creates a new database after DATA_DIR is deleted, and preserves the earlier one', async () => {
    const first = await startAndTrack();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await rm(sandbox.dataDirectory, { recursive: true });
    const second = await startAndTrack();
    await expect(query(second.url, 'SELECT answer FROM kept')).rejects.toThrow(/does not exist/);
    expect(sandbox.messages).toContainEqual(
      expect.stringMatching(/^warn: preserved the database of a deleted DATA_DIR in /),
    );
  });

  it('refuses to use a copy of DATA_DIR or a missing database', async () => {
    const { clusterDirectory } = await startAndTrack();
    const copy = join(sandbox.root, 'copy');
    await mkdir(copy);
    await writeFile(join(copy, 'postgres.location'), `${clusterDirectory}\n`);
    await expect(sandbox.start(copy)).rejects.toThrow(/is a copy of .*data, which still uses the database/);
    await writeFile(join(copy, 'postgres.location'), `${sandbox.root}/nowhere/postgres\n`);
    await expect(sandbox.start(copy)).rejects.toThrow(/The database is missing: .*postgres\.location points to/);
  });
});
