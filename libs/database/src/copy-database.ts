import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { DataSource } from 'typeorm';
import { connectionPool, patient } from './data-source.js';

/** Tables that each database keeps for itself. */
const NOT_COPIED = ['migrations', 'service_instances'];
/**
 * Tables that are empty in an unused database. The audit log is one of them because it outlives projects and accounts.
 */
const IN_USE = ['projects', 'users', 'api_keys', 'visits', 'unknown_visits', 'audit_entries'];

export type RunStatement = <Row extends object>(text: string, parameters: unknown[]) => Promise<Row[]>;

interface CopyOptions {
  /** Called with each table and its number of rows once it is copied. */
  onTable: (table: string, rows: number) => void;
  /**
   * Changes the copied rows before they are committed. The audit log doesn't record these changes. An error undoes the
   * copy.
   */
  beforeCommit?: (run: RunStatement) => Promise<void>;
}

/**
 * Replaces all rows of a database with those of another with the same schema. If it fails, the target stays unchanged.
 * Nothing may write to the source at the same time.
 *
 * @throws Error if the schemas differ, or if rows of a table were lost.
 */
export async function copyDatabase(source: DataSource, target: DataSource, options: CopyOptions): Promise<void> {
  const databases = [patient(source), patient(target)];
  try {
    const clients = databases.map(async (database) => connectionPool(await database.initialize()).connect());
    const [reader, writer] = (await Promise.all(clients)) as [PoolClient, PoolClient];
    try {
      await requireSameSchema(reader, writer);
      await writer.query('BEGIN');
      await makePartitions(reader, writer);
      const tables = await tablesInOrder(writer);
      // The triggers would reject emptying the audit log, and record each row as a change.
      for (const { name } of tables) await writer.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
      await writer.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`);
      for (const table of tables) options.onTable(table.name, await copyTable(reader, writer, table));
      await options.beforeCommit?.(async <Row extends object>(text: string, parameters: unknown[]) => {
        const { rows } = await writer.query<Row>(text, parameters);
        return rows;
      });
      for (const { name } of tables) await writer.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
      await setSequences(reader, writer);
      await writer.query('COMMIT');
    } finally {
      // Closing the connection rolls back an open transaction.
      for (const client of [reader, writer]) client.release(true);
    }
  } finally {
    for (const database of databases) if (database.isInitialized) await database.destroy();
  }
}

/**
 * Returns whether a database contains accounts, credentials, visits or audit entries. Rows from migrations don't count.
 */
export async function isInUse(database: DataSource): Promise<boolean> {
  const [row]: { used: boolean }[] = await database.query(
    `SELECT ${IN_USE.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ')} AS used`,
  );
  return row!.used;
}

async function requireSameSchema(reader: PoolClient, writer: PoolClient): Promise<void> {
  const names = async (client: PoolClient): Promise<string> =>
    (await client.query<{ names: string }>(`SELECT string_agg(name, ' ' ORDER BY name) AS names FROM migrations`))
      .rows[0]!.names;
  if ((await names(reader)) !== (await names(writer))) {
    throw new Error('The two databases have different schemas. Migrate both with the same release.');
  }
}

/** Creates the source's partitions that the target lacks, with their own check constraints and indexes. */
async function makePartitions(reader: PoolClient, writer: PoolClient): Promise<void> {
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
    const { rows: found } = await writer.query('SELECT WHERE to_regclass($1) IS NOT NULL', [name]);
    if (found.length > 0) continue;
    await writer.query(`CREATE TABLE ${name} (LIKE ${parent} INCLUDING ALL EXCLUDING INDEXES${checks})`);
    for (const index of indexes) await writer.query(index);
    await writer.query(`ALTER TABLE ${parent} ATTACH PARTITION ${name} ${bounds}`);
  }
}

interface Table {
  /** Quoted for SQL, like `columns`. */
  name: string;
  columns: string;
}

/** Returns all tables, with referenced tables first. */
async function tablesInOrder(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table & { parents: string[] }>(
    `SELECT c.oid::regclass::text AS name,
            (SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
             WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns,
            ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
                  WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS parents
     FROM pg_class AS c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND c.relname <> ALL ($1) ORDER BY 1`,
    [NOT_COPIED],
  );
  const ordered: Table[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.filter(({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)));
    if (next.length === 0) throw new Error('Tables refer to each other in a circle.');
    for (const table of next) {
      placed.add(table.name);
      ordered.push(table);
    }
  }
  return ordered;
}

/**
 * Copies a table and returns the number of its rows. Rows may reference later rows of the same table: PostgreSQL checks
 * foreign keys at the end of the statement.
 */
async function copyTable(reader: PoolClient, writer: PoolClient, { name, columns }: Table): Promise<number> {
  const sent = reader.query(copyTo(`COPY (SELECT ${columns} FROM ${name}) TO STDOUT (FORMAT binary)`));
  const received = writer.query(copyFrom(`COPY ${name} (${columns}) FROM STDIN (FORMAT binary)`));
  await pipeline(sent, received);
  if (sent.rowCount !== received.rowCount) {
    throw new Error(`The table ${name} has ${sent.rowCount} rows, of which ${received.rowCount} arrived.`);
  }
  return received.rowCount ?? 0;
}

async function setSequences(reader: PoolClient, writer: PoolClient): Promise<void> {
  const { rows } = await reader.query<{ name: string; last: string | null }>(
    `SELECT format('%I.%I', schemaname, sequencename) AS name, last_value AS last FROM pg_sequences
     WHERE schemaname = 'public'`,
  );
  for (const { name, last } of rows) if (last !== null) await writer.query('SELECT setval($1, $2)', [name, last]);
}
