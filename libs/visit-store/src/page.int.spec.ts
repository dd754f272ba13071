import { getPage } from '#libs/contracts';
import { startTestDatabase } from '../../../test/kit/database.js';
import { randomPaths } from '../../../test/kit/random-paths.js';
import { PAGE_NAME } from './page.js';

it('computes the same pages in PostgreSQL as in JavaScript', async () => {
  const database = await startTestDatabase();
  try {
    const paths = randomPaths(5_000);
    const rows: { page: string }[] = await database.dataSource.query(
      `SELECT ${PAGE_NAME} AS page FROM unnest($1::text[]) WITH ORDINALITY AS read (path, number) ORDER BY number`,
      [paths],
    );
    expect(rows.map(({ page }) => page)).toEqual(paths.map(getPage));
    // A path of slashes takes linear time.
    await database.dataSource.query(
      `SET statement_timeout = '5s'; SELECT count(${PAGE_NAME}) FROM (SELECT repeat('/', 8000) || 'x' AS path FROM generate_series(1, 1000)) read`,
    );
  } finally {
    await database.stop();
  }
});
