import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from 'pg';
import { Sandbox } from '../../../test/kit/postgres-sandbox.js';
import type { EmbeddedPostgres } from './embedded-postgres.js';

let sandbox: Sandbox;

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url);
  // The server may end while we are connected.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

const asRoot = process.geteuid?.() === 0 ? describe : describe.skip;
asRoot('as root, below a folder that only root can enter', () => {
  const elsewhere: string[] = [];

  beforeEach(async () => {
    sandbox = await Sandbox.create();
    await chmod(sandbox.root, 0o700);
  });
  afterEach(async () => {
    await sandbox.close();
    for (const cluster of elsewhere.splice(0)) {
      const home = dirname(cluster);
      for (const name of await readdir(dirname(home)).catch(() => [])) {
        const path = join(dirname(home), name);
        if (path.startsWith(home)) await rm(path, { recursive: true, force: true });
      }
    }
  });

  async function startElsewhere(directory = sandbox.dataDirectory): Promise<EmbeddedPostgres> {
    const postgres = await sandbox.start(directory);
    elsewhere.push(postgres.clusterDirectory);
    return postgres;
  }

  it('stores the database elsewhere, logs the location and finds it again', async () => {
    const first = await startElsewhere();
    expect(first.clusterDirectory.startsWith(sandbox.root)).toBe(false);
    expect(await readFile(join(sandbox.dataDirectory, 'postgres.location'), 'utf8')).toBe(
      `${first.clusterDirectory}\n`,
    );
    expect(sandbox.messages.filter((message) => message.includes('is kept in'))).toHaveLength(1);
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    const second = await startElsewhere();
    expect(await query(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect((await stat(second.clusterDirectory)).uid).not.toBe(0);
  });

  it('creates a new database if DATA_DIR was deleted, and preserves the earlier one', async () => {
    const first = await startElsewhere();
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    await rm(sandbox.dataDirectory, { recursive: true });
    const second = await startElsewhere();
    await expect(query(second.url, 'SELECT answer FROM kept')).rejects.toThrow(/does not exist/);
    expect(sandbox.messages).toContainEqual(
      expect.stringMatching(/^warn: kept the database of an earlier DATA_DIR in /),
    );
  });

  it('rejects a copy of DATA_DIR and a missing database', async () => {
    const { clusterDirectory } = await startElsewhere();
    const copy = join(sandbox.root, 'copy');
    await mkdir(copy);
    await writeFile(join(copy, 'postgres.location'), `${clusterDirectory}\n`);
    await expect(sandbox.start(copy)).rejects.toThrow(/is a copy of .*data, which still uses the database/);
    await writeFile(join(copy, 'postgres.location'), `${sandbox.root}/nowhere/postgres\n`);
    await expect(sandbox.start(copy)).rejects.toThrow(/The database is gone: .*postgres\.location says/);
  });
});
