import { getPage } from '#libs/contracts';
import { createClickHouseDatabase } from '../../../../test/kit/clickhouse.js';
import { randomPaths } from '../../../../test/kit/random-paths.js';
import { CLICKHOUSE_PAGE_NAME } from '../page.js';
import { ClickHouse } from './clickhouse.js';

it('computes the same pages in ClickHouse as in JavaScript', async () => {
  const clickhouse = new ClickHouse(await createClickHouseDatabase());
  try {
    const paths = randomPaths(5_000);
    const rows = await clickhouse.query<{ page: string }>(
      `SELECT ${CLICKHOUSE_PAGE_NAME} AS page FROM (SELECT arrayJoin({paths:Array(String)}) AS path)`,
      { paths },
    );
    expect(rows.map(({ page }) => page)).toEqual(paths.map(getPage));
  } finally {
    await clickhouse.close();
  }
});
