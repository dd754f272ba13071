import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { connectionPool, withoutTimeouts } from './data-source.js';

/** Tables that describe the database itself or the processes connected to it. */
const EXCLUDED_TABLES = ['migrations', 'service_instances'];
/** Tables that are empty in an unused database. Includes the audit log, because it outlives projects and accounts. */
const USER_DATA_TABLES = ['projects', 'users', 'api_keys', 'visits', 'unknown_visits', 'audit_entries'];

export type RunStatement = <Row extends object>(text: string, parameters: unknown[]) => Promise<Row[]>;

interface CopyOptions {
  /** Called after each table is copied, with the number of rows. */
  onTable: (table: string, rows: number) => void;
  /**
   * Modifies the copied rows before they are committed. Its changes don't appear in the audit log. If it throws, the
   * copy is rolled back.
   */
  beforeCommit?: (run: RunStatement) => Promise<void>;
}

/**
 * Replaces the target's rows with those from a source database that has the same schema. If the copy fails, the target
 * stays unchanged. Nothing may write to the source during the copy.
 *
 * @throws {Error} if the schemas differ, or if the source and target row counts of a table differ.
 */
export async function copyDatabase(source: DataSource, target: DataSource, options: CopyOptions): Promise<void> {
  const databases = [withoutTimeouts(source), withoutTimeouts(target)];
  try {
    const clients = databases.map(async (database) => connectionPool(await database.initialize()).connect());
    const [reader, writer] = (await Promise.all(clients)) as [PoolClient, PoolClient];
    try {
      await requireSameSchema(reader, writer);
      await writer.query('BEGIN');
      await createMissingPartitions(reader, writer);
      const tables = await listTablesInCopyOrder(writer);
      // Triggers would block truncating the audit log and record every copied row as a change.
      for (const { name } of tables) await writer.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
      await writer.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
      for (const table of tables) options.onTable(table.name, await copyTable(reader, writer, table));
      await options.beforeCommit?.(async <Row extends object>(text: string, parameters: unknown[]) => {
        const { rows } = await writer.query<Row>(text, parameters);
        return rows;
      });
      for (const { name } of tables) await writer.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
      await copySequences(reader, writer);
      await writer.query('COMMIT');
    } finally {
      // Releasing with `true` closes the connections, which rolls back an open transaction.
      for (const client of [reader, writer]) client.release(true);
    }
  } finally {
    for (const database of databases) if (database.isInitialized) await database.destroy();
  }
}

/**
 * Returns true if the database contains user data, such as accounts, visits or audit entries. Ignores rows that
 * migrations insert.
 */
export async function isInUse(database: DataSource): Promise<boolean> {
  const [row]: { used: boolean }[] = await database.query(
    `SELECT ${USER_DATA_TABLES.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ')} AS used`,
  );
  return row!.used;
}

async function requireSameSchema(reader: PoolClient, writer: PoolClient): Promise<void> {
  const names = async (client: PoolClient): Promise<string> =>
    (await client.query<{ names: string }>(`SELECT string_agg(name, ' ' ORDER BY name) AS names FROM migrations`))
      .rows[0]!.names;
  if ((await names(reader)) !== (await names(writer))) {
    throw new Error('Source and target schemas differ. Migrate both databases with the same release, then try again.');
  }
}

/**
 * Creates partitions that exist only in the source. Copies their check constraints and indexes, which aren't inherited.
 */
async function createMissingPartitions(reader: PoolClient, writer: PoolClient): Promise<void> {
  const { rows } = await reader.query<{
    name: string;
    parent: string;
    checks: string;
    bounds: string;
    indexes: string[];
  }>(
    `SELECT child.oid::regclass AS name, inhparent::regclass AS parent, pg_get_expr(relpartbound, child.oid) AS bounds,
       coalesce((SELECT string_agg(format(', CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), '')
                 FROM pg_constraint WHERE conrelid = child.oid AND contype = 'c' AND conislocal), '') AS checks,
       ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index
             WHERE indrelid = child.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)) AS indexes
     FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
     WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
  );
  for (const { name, parent, checks, bounds, indexes } of rows) {
    const { rows: existing } = await writer.query('SELECT WHERE to_regclass($1) IS NOT NULL', [name]);
    if (existing.length > 0) continue;
    await writer.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL EXCLUDING INDEXES${checks})`);
    for (const index of indexes) await writer.query(index);
    await writer.query(`ALTER TABLE ${parent} ATTACH PARTITION ${name} ${bounds}`);
  }
}

interface Table {
  /** Quoted as an SQL identifier. */
  name: string;
  columns: string;
}

/** Returns all tables, ordered so that referenced tables come first. */
async function listTablesInCopyOrder(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table & { parents: string[] }>(
    `SELECT c.oid::regclass::text AS name,
            (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
             WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
            ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
                  WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS parents
     FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND c.relname <> ALL ($1) ORDER BY 1`,
    [EXCLUDED_TABLES],
  );
  const ordered: Table[] = [];
  const orderedNames = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ name, parents }) => !orderedNames.has(name) && parents.every((parent) => orderedNames.has(parent)),
    );
    if (next.length === 0) throw new Error('Cannot determine the copy order because foreign keys form a cycle.');
    for (const table of next) {
      orderedNames.add(table.name);
      ordered.push(table);
    }
  }
  return ordered;
}

/**
 * Copies a table and returns its row count. Rows can reference later rows in the same table, because PostgreSQL checks
 * foreign keys at the end of the statement.
 */
async function copyTable(reader: PoolClient, writer: PoolClient, { name, columns }: Table): Promise<number> {
  const copyOut = reader.query(copyTo(`COPY (SELECT ${columns} FROM ${name}) TO STDOUT (FORMAT binary)`));
  const copyIn = writer.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN (FORMAT binary)`));
  await pipeline(copyOut, copyIn);
  if (copyOut.rowCount !== copyIn.rowCount) {
    throw new Error(
      `Table ${name} was not copied completely: sent ${copyOut.rowCount} rows, received ${copyIn.rowCount}.`,
    );
  }
  return copyIn.rowCount ?? 0;
}

async function copySequences(reader: PoolClient, writer: PoolClient): Promise<void> {
  const { rows } = await reader.query<{ name: string; last: string | null }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = 'public'`,
  );
  for (const { name, last } of rows) if (last !== null) await writer.query('SELECT setval($1, $2)', [name, last]);
}
