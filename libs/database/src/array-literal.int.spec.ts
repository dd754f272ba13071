import { array, assert, asyncProperty, constantFrom, option, string } from 'fast-check';
import { startTestDatabase, type TestDatabase } from '../../../test/kit/database.js';
import { arrayLiteral } from './array-literal.js';

describe('arrayLiteral', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());

  const read = async (values: (string | number | null)[], type: string): Promise<unknown> => {
    const [row] = await database.dataSource.query(`SELECT $1::${type}[] AS values`, [arrayLiteral(values)]);
    return row.values;
  };

  it.each([[[]], [['', 'NULL', 'null', ' a ', '{b}', 'c,d']], [['"', '\\', '\\"', '\n', "'", null]]])(
    'round-trips strings: %j',
    async (values) => {
      expect(await read(values, 'text')).toEqual(values);
    },
  );

  it('round-trips numbers', async () => {
    expect(await read([0, -1.5, 1e21, null, 2e-7], 'float8')).toEqual([0, -1.5, 1e21, null, 2e-7]);
  });

  it('round-trips arbitrary strings', async () => {
    const text = string({ unit: constantFrom('"', '\\', ',', '{', '}', ' ', 'a', '\t', '\u{1f600}', 'é') });
    await assert(
      asyncProperty(array(option(text)), async (values) => {
        expect(await read(values, 'text')).toEqual(values);
      }),
    );
  });
});
