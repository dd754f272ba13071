import { CONSOLE_INTERFACE, isLimitedRead } from '#libs/contracts';
import { App, type TestResponse } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { until } from '../../../../test/kit/instance.js';
import { Person } from '../../../../test/kit/person.js';

const account = (name: string) => ({ name, email: `${name}@example.com`, password: 'correct horse battery' });

let app: App;
let ids: { shop: string; blog: string };
let eve: Person;
let bob: Person;
beforeAll(async () => {
  app = await App.start();
  const root = await Person.administrator(app.nest, 'root@example.com', 'correct horse battery');
  const create = async (name: string): Promise<string> => (await app.api('POST', '/projects', { name })).body.id;
  ids = { shop: await create('Shop'), blog: await create('Blog') };
  eve = await root.invite(ids.shop, 'viewer', account('eve'));
  bob = await root.invite(ids.blog, 'viewer', account('bob'));
});
afterAll(() => app.dispose());

async function whileCountsAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const lockHolder = app.database.dataSource.createQueryRunner();
  await lockHolder.startTransaction();
  await lockHolder.query('LOCK TABLE visit_counts, visit_day_counts IN ACCESS EXCLUSIVE MODE');
  try {
    return await work();
  } finally {
    await lockHolder.commitTransaction();
    await lockHolder.release();
  }
}

const LOCK_WAITS_QUERY = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
const getStatuses = (responses: TestResponse[]) => responses.map(({ status }) => status);

it.each([
  ['alerts/preview', () => eve.call('POST', `/projects/${ids.shop}/alerts/preview`, { kind: 'no_visits' })],
  ['seen-agents', () => eve.call('GET', '/seen-agents')],
  ['overview', () => eve.call('GET', `/projects/${ids.shop}/overview`)],
])("serves other projects' dashboards while one viewer sends 40 requests to %s", async (_, read) => {
  const { flood, dashboards } = await whileCountsAreLocked(async () => {
    const flood = Array.from({ length: 40 }, () => read());
    await until(async () => (await app.database.dataSource.query(LOCK_WAITS_QUERY)).length >= 3, {
      condition: 'three reads wait for the lock',
    });
    const dashboards: TestResponse[] = [];
    // Send these one by one. If they were sent in parallel, they would queue for the only free slot, and some could
    // exceed the read timeout.
    for (let count = 0; count < 20; count += 1) dashboards.push(await bob.call('GET', `/projects/${ids.blog}/visits`));
    return { flood, dashboards };
  });
  const responses = await Promise.all(flood);
  expect(getStatuses(dashboards)).toEqual(Array(20).fill(200));
  const rejected = responses.filter(({ status }) => status === 429);
  expect(rejected).toHaveLength(8);
  expect(rejected[0]).toMatchObject({
    headers: { 'retry-after': '1' },
    body: { detail: expect.stringContaining('you have 32 in progress') },
  });
});

it('limits every authenticated operation that reads the database', () => {
  const unlimited = CONSOLE_INTERFACE.operations.filter(
    (operation) => (operation.method === 'get' || 'onlyReads' in operation) && !isLimitedRead(operation),
  );
  expect(unlimited.map(({ id }) => id).toSorted()).toEqual(
    [
      // Operations without authentication.
      'finishOidcSignIn',
      'getInvitation',
      'getPasswordReset',
      'getSession',
      'getStatementKeys',
      'showMailRecipient',
      'showUnsubscription',
      'startOidcSignIn',
      // Operations that have separate limits.
      'createStatement',
      'exportVisits',
      'streamVisits',
    ].toSorted(),
  );
});

it('frees the slot for a read after both successful and rejected requests', async () => {
  for (let round = 0; round < 3; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        eve.call('GET', `/projects/${ids.shop}/overview?${index % 2 === 0 ? 'no_such=1' : ''}`),
      ),
    );
    expect(new Set(getStatuses(responses))).toEqual(new Set([200, 422]));
  }
});
