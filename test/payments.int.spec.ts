import { App } from './kit/app.js';
import './kit/dispose-all.js';
import { until } from './kit/instance.js';

const SECRET = 's3cretS1gnatureOrWallet';
const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
const HOSTILE = {
  malformed: `!!! ${SECRET}`,
  deep: encode(`{"accepts":${'['.repeat(6_000)}"${SECRET}"`),
  prototype: encode(`{"__proto__":{"accepts":[{"payTo":"${SECRET}"}]}}`),
  numbers: encode(`{"accepts":[{"amount":1e999,"payTo":"${SECRET}"}],"success":NaN}`),
  duplicates: encode(`{"accepts":[],"accepts":[{"amount":"1","amount":"2","payTo":"${SECRET}"}]}`),
  mebibyte: encode(SECRET.repeat(2 ** 15)),
  valid: encode({
    x402Version: 2,
    accepted: { scheme: 'exact', network: 'eip155:8453', asset: '0xabc', amount: '1', payTo: SECRET },
    accepts: [{ scheme: 'exact', network: 'eip155:8453', asset: '0xabc', amount: '1', payTo: SECRET }],
    payload: { signature: SECRET, authorization: { from: SECRET, value: '1' } },
    success: true,
    transaction: SECRET,
    payer: SECRET,
  }),
};
const NAMES = [
  'payment-signature',
  'x-payment',
  'payment-required',
  'payment-response',
  'x-payment-response',
  'payment-receipt',
];

let app: App;
let project: string;
beforeAll(async () => {
  app = await App.start();
  project = (await app.api('GET', '/projects')).body.projects[0].id;
});

it('stores no credentials of payments, and reports hostile headers', async () => {
  const visits = Object.values(HOSTILE).flatMap((value) =>
    NAMES.map((name) => ({
      request_path: '/article',
      request_method: 'GET',
      request_headers: {
        host: 'shop.example',
        'user-agent': 'GPTBot/1.2',
        'x-forwarded-for': '203.0.113.5',
        authorization: `Payment ${value}`,
        [name]: value,
      },
      response_status_code: 402,
      response_headers: { [name]: [value], 'www-authenticate': `Payment id="${SECRET}", request="${value}"` },
    })),
  );
  for (const visit of visits) {
    const { status } = await app.post('/visits', [visit, { ...visit, request_method: 5 }]);
    expect(status).toBeLessThan(500);
  }
  const range = `from=${new Date(Date.now() - 3_600_000).toISOString()}`;
  const report = await app.api('GET', `/projects/${project}/payments?${range}`);
  expect(report.status).toBe(200);
  expect(report.body.total.asked + report.body.total.failed + report.body.total.paid).toBeGreaterThan(10);
  expect(JSON.stringify(report.body)).not.toContain(SECRET);
  expect(await findSecret()).toEqual([]);
});

it('stores no credentials of payments in logs', async () => {
  const lines = Object.values(HOSTILE)
    .filter((value) => value.length < 100_000)
    .map((value, index) => ({
      ClientIP: '203.0.113.6',
      ClientRequestMethod: 'GET',
      ClientRequestURI: `/log/${index}`,
      ClientRequestUserAgent: 'GPTBot/1.2',
      EdgeStartTimestamp: new Date().toISOString(),
      EdgeResponseStatus: 402,
      RequestHeaders: { 'payment-signature': value, 'x-payment': value },
      ResponseHeaders: {
        ...Object.fromEntries(NAMES.slice(2).map((name) => [name, value])),
        'crawler-price': 'USD 0.01',
        'www-authenticate': `Payment id="${SECRET}", request="${value}"`,
      },
    }));
  const { status } = await app.post('/drains/cloudflare-logpush', lines);
  expect(status).toBe(200);
  const visits = async () => (await app.api('GET', `/projects/${project}/visits?path=/log/0`)).body.visits;
  await until(async () => (await visits()).length > 0, { condition: 'the visits are stored' });
  expect((await visits())[0].visit.response_headers).toMatchObject({ 'crawler-price': 'USD 0.01' });
  expect(await findSecret()).toEqual([]);
});

/** Returns the tables whose rows contain the secret, plain or encoded. */
async function findSecret(): Promise<string[]> {
  const { dataSource } = app.database;
  const tables: { name: string }[] = await dataSource.query(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows: { text: string }[] = await dataSource.query(`SELECT row_to_json(t)::text AS text FROM ${name} t`);
    if (rows.some(({ text }) => contains(text))) found.push(name);
  }
  return found;
}

/** Decodes base64 of all three alignments, and hexadecimal bytes. */
function contains(text: string): boolean {
  const hex = text.replaceAll(/\\\\x([\da-f]+)/g, (_, bytes: string) => Buffer.from(bytes, 'hex').toString('latin1'));
  if (hex.includes(SECRET)) return true;
  return [0, 1, 2].some((shift) =>
    hex.split(/[^\w+/=-]/).some((part) => Buffer.from(part.slice(shift), 'base64').toString('latin1').includes(SECRET)),
  );
}
