import { CONSOLE_INTERFACE, isLimitedRead } from '#libs/contracts';
import { App, type Answer } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-left-overs.js';
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
  const holder = app.database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query('LOCK TABLE visit_counts, visit_day_counts IN ACCESS EXCLUSIVE MODE');
  try {
    return await work();
  } finally {
    await holder.commitTransaction();
    await holder.release();
  }
}

const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status);

it.each([
  ['alerts/preview', () => eve.call('POST', `/projects/${ids.shop}/alerts/preview`, { kind: 'no_visits' })],
  ['seen-agents', () => eve.call('GET', '/seen-agents')],
  ['overview', () => eve.call('GET', `/projects/${ids.shop}/overview`)],
])('serves dashboards of other projects while one viewer sends 40 requests to %s', async (_, read) => {
  const { flood, dashboards } = await whileCountsAreLocked(async () => {
    const flood = Array.from({ length: 40 }, () => read());
    await until(async () => (await app.database.dataSource.query(WAITING)).length >= 3, { what: 'reads wait' });
    const dashboards: Answer[] = [];
    // Sent one by one. In parallel they would share the one free slot, and the last could exceed the read timeout.
    for (let count = 0; count < 20; count += 1) dashboards.push(await bob.call('GET', `/projects/${ids.blog}/visits`));
    return { flood, dashboards };
  });
  const answers = await Promise.all(flood);
  expect(statusesOf(dashboards)).toEqual(Array(20).fill(200));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({
    headers: { 'retry-after': '1' },
    body: { detail: expect.stringContaining('32 of yours') },
  });
});

it('limits every operation that reads the database for an authenticated caller', () => {
  const others = CONSOLE_INTERFACE.operations.filter(
    (operation) => (operation.method === 'get' || 'onlyReads' in operation) && !isLimitedRead(operation),
  );
  expect(others.map(({ id }) => id).toSorted()).toEqual(
    [
      // No authentication required.
      'finishOidcSignIn',
      'getInvitation',
      'getPasswordReset',
      'getSession',
      'showMailRecipient',
      'showUnsubscription',
      'startOidcSignIn',
      // Limited separately.
      'exportVisits',
      'streamVisits',
    ].toSorted(),
  );
});

it('frees the slots of successful and rejected requests', async () => {
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        eve.call('GET', `/projects/${ids.shop}/overview?${index % 2 === 0 ? 'no_such=1' : ''}`),
      ),
    );
    expect(new Set(statusesOf(answers))).toEqual(new Set([200, 422]));
  }
});
