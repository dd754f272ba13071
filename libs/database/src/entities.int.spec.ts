import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

interface Described {
  name: string;
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
  isPrimary: boolean;
}

async function columnsOf(table: string): Promise<Described[]> {
  return database.dataSource.query(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS "isNullable",
       atthasdef AS "hasDefault", attnum = ANY (coalesce(conkey, '{}')) AS "isPrimary"
     FROM pg_attribute LEFT JOIN pg_constraint ON conrelid = attrelid AND contype = 'p'
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
    [table],
  );
}

function described({ columns }: EntityMetadata): Described[] {
  const { driver } = database.dataSource;
  const typeOf = (column: ColumnMetadata): string => driver.normalizeType(column) + (column.isArray ? '[]' : '');
  return columns
    .map((column) => ({
      name: column.databaseName,
      type: typeOf(column),
      isNullable: column.isNullable,
      hasDefault: column.default !== undefined,
      isPrimary: column.isPrimary,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

it('maps entities to the columns of their tables', async () => {
  const { entityMetadatas } = database.dataSource;
  expect(entityMetadatas.length).toBeGreaterThan(0);
  for (const metadata of entityMetadatas) {
    expect({ [metadata.tableName]: described(metadata) }).toEqual({
      [metadata.tableName]: await columnsOf(metadata.tableName),
    });
  }
});
