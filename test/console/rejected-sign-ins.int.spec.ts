import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import { Person } from '../kit/person.js';
import { PASSWORD } from '../kit/tenant.js';

let app: App;
let admin: Person;
let wrongSetup: { status: number };

beforeAll(async () => {
  app = await App.start();
  const setup = { code: 'no-such-code', email: 'first@example.com', name: 'First', password: PASSWORD };
  wrongSetup = await new Person(app.nest).call('POST', '/setup', setup);
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
afterAll(() => app?.dispose());

const rejections = async (): Promise<Json[]> => {
  const { entries } = (await app.api('GET', '/audit-entries?limit=1000&subject=login')).body;
  return entries.filter(({ after }: Json) => after?.outcome === 'rejected');
};

it('records only a sample of many rejected passwords, with the account and client address', async () => {
  const stranger = new Person(app.nest);
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect((await stranger.signIn('root@example.com', 'not the right one')).status).toBe(401);
  }
  const found = await until(
    async () => {
      const all = (await rejections()).filter(({ subject }) => subject?.name === 'root@example.com');
      return all.length >= 2 && all;
    },
    { condition: 'the rejections are recorded' },
  );
  expect(found.map(({ after }) => after.attempts_in_an_hour).toSorted()).toEqual([1, 10]);
  expect(found[0]).toMatchObject({
    change: 'done',
    actor: { type: 'visitor', address: stranger.address },
    subject: { type: 'login', name: 'root@example.com' },
  });
});

it('omits unknown account names, because they may be passwords', async () => {
  const stranger = new Person(app.nest);
  const before = (await rejections()).length;
  await stranger.signIn('my-secret-password@example.com', 'not the right one');
  await until(async () => (await rejections()).length > before, { condition: 'the rejection is recorded' });
  expect(JSON.stringify(await rejections())).not.toContain('my-secret-password');
});

it('records wrong setup codes', async () => {
  expect(wrongSetup.status).toBe(403);
  const found = await until(async () => (await rejections()).find(({ after }) => after.reason.includes('setup code')), {
    condition: 'the rejection is recorded',
  });
  expect(found).toMatchObject({ actor: { type: 'visitor' } });
});

it("records signed-in people's wrong passwords", async () => {
  const before = (await rejections()).length;
  expect((await admin.call('POST', '/session/confirmation', { password: 'not the right one' })).status).toBe(422);
  const entry = await until(
    async () => {
      const all = await rejections();
      return all.length > before && all[0];
    },
    { condition: 'the rejection is recorded' },
  );
  expect((entry as Json).actor).toMatchObject({ type: 'person', name: 'root@example.com' });
});
