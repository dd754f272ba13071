import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

interface ColumnDescription {
  name: string;
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
  isPrimary: boolean;
}

async function readColumns(table: string): Promise<ColumnDescription[]> {
  return database.dataSource.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS "isNullable",
       atthasdef AS "hasDefault", attnum = ANY (coalesce(conkey, '{}')) AS "isPrimary"
     FROM pg_attribute LEFT JOIN pg_constraint ON conrelid = attrelid AND contype = 'p'
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
    [table],
  );
}

function describeEntity({ columns }: EntityMetadata): ColumnDescription[] {
  const { driver } = database.dataSource;
  const getColumnType = (column: ColumnMetadata): string => driver.normalizeType(column) + (column.isArray ? '[]' : '');
  return columns
    .map((column) => ({
      name: column.databaseName,
      type: getColumnType(column),
      isNullable: column.isNullable,
      hasDefault: column.default !== undefined,
      isPrimary: column.isPrimary,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

it('defines entities whose columns match the database schema', async () => {
  const { entityMetadatas } = database.dataSource;
  expect(entityMetadatas.length).toBeGreaterThan(0);
  for (const metadata of entityMetadatas) {
    expect({ [metadata.tableName]: describeEntity(metadata) }).toEqual({
      [metadata.tableName]: await readColumns(metadata.tableName),
    });
  }
});
