import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { App, type Json } from '../kit/app.js';
import { MailServer } from '../kit/mail-server.js';
import { Person } from '../kit/person.js';
import { PASSWORD } from '../kit/tenant.js';

const ADDRESS = 'root@example.com';
const SMTP_PASSWORD = 'open sesame';
const PATH = '/system/mail-server';

let app: App;
let mail: MailServer;
/** Mail server that requires a login. It offers STARTTLS with a certificate that nobody trusts. */
let strict: SMTPServer;
let admin: Person;

const portOf = (server: SMTPServer): number => (server.server.address() as AddressInfo).port;

beforeAll(async () => {
  mail = await MailServer.start();
  strict = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _session, callback) =>
      username === 'ada' && password === SMTP_PASSWORD
        ? callback(null, { user: 'ada' })
        : callback(new Error('Bad credentials')),
    onMailFrom: ({ address }, { user }, callback) =>
      callback(
        user === undefined || address !== 'alerts@example.com'
          ? Object.assign(new Error('Not yours'), { responseCode: user === undefined ? 530 : 553 })
          : null,
      ),
    onRcptTo: (_address, _session, callback) =>
      callback(Object.assign(new Error('No relaying'), { responseCode: 550 })),
    allowInsecureAuth: true,
    logger: false,
  });
  // Failed handshakes are expected.
  strict.on('error', () => undefined);
  await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve));
  app = await App.start();
  admin = await Person.administrator(app.nest, ADDRESS, PASSWORD);
});
afterAll(async () => {
  await app?.dispose();
  await Promise.all([mail?.dispose(), new Promise<void>((resolve) => strict.close(() => resolve()))]);
});
afterEach(async () => {
  await app.database.dataSource.query('DELETE FROM mail_server');
  mail.mails.length = 0;
});

const local = (change: object = {}): Json => ({
  host: '127.0.0.1',
  port: mail.settings.port,
  security: 'none',
  user: null,
  from: 'Agent Traffic <alerts@example.com>',
  ...change,
});
const set = async (change: object = {}): Promise<Json> => {
  const { status, body, text } = await admin.call('PUT', PATH, local(change));
  if (status !== 200) throw new Error(text);
  return body;
};
const sendTest = async (): Promise<Json> => (await admin.call('POST', `${PATH}/test`, {})).body;

it('sends emails through a mail server set in the dashboard, without a restart', async () => {
  const { body: unset } = await admin.call('GET', PATH);
  expect(unset).toMatchObject({ source: null, host: null, port: 587, security: 'starttls', has_password: false });
  const isAvailable = async () => (await admin.call('GET', '/account/reports')).body.can_send_mail;
  expect(await isAvailable()).toBe(false);
  expect((await admin.call('POST', `${PATH}/test`, {})).status).toBe(409);

  expect(await set()).toMatchObject({ source: 'dashboard', host: '127.0.0.1', from: local().from });
  expect(await isAvailable()).toBe(true);
  expect(await sendTest()).toEqual({ address: ADDRESS, error: null, response: null });
  expect(mail.mails).toMatchObject([{ to: [ADDRESS], text: expect.stringContaining('This is a test email') }]);

  expect((await admin.call('DELETE', PATH)).status).toBe(204);
  expect((await admin.call('DELETE', PATH)).status).toBe(404);
  expect(await isAvailable()).toBe(false);
});

it('applies changes made by another process to the next email', async () => {
  await set({ port: 9 });
  expect((await sendTest()).error).toContain('127.0.0.1:9 refused the connection');
  await app.database.dataSource.query('UPDATE mail_server SET port = $1', [mail.settings.port]);
  expect((await sendTest()).error).toBeNull();
});

it('encrypts the password and never returns it', async () => {
  const saved = await set({ user: 'ada', password: SMTP_PASSWORD });
  expect(saved).toMatchObject({ user: 'ada', has_password: true });
  const [{ password }] = await app.database.dataSource.query('SELECT password FROM mail_server');
  expect(password.includes(SMTP_PASSWORD)).toBe(false);
  const { text } = await admin.call('GET', PATH);
  const audit = await admin.call('GET', '/audit-entries?subject=mail_server');
  expect(`${JSON.stringify(saved)}${text}${audit.text}`).not.toContain(SMTP_PASSWORD);
  expect(audit.body.entries[0]).toMatchObject({
    operation: 'changeMailServer',
    actor: { name: ADDRESS },
    subject: { type: 'mail_server', name: '127.0.0.1' },
    after: { password: '[hidden]', user_name: 'ada' },
  });
  expect(await set({ user: 'ada', from: 'other@example.com' })).toMatchObject({ has_password: true });
  expect(await set()).toMatchObject({ user: null, has_password: false });
});

it.each([{ host: 'localhost' }, { port: 9 }, { security: 'starttls' }, { user: 'eve' }])(
  "doesn't send the stored password elsewhere: requires it again for %j",
  async (change) => {
    await set({ user: 'ada', password: SMTP_PASSWORD });
    const { status, body } = await admin.call('PUT', PATH, local({ user: 'ada', ...change }));
    expect([status, body.errors[0].pointer]).toEqual([422, '/password']);
  },
);

it.each([
  [{ host: 'smtp.example.com:587' }, '/host'],
  [{ host: 'smtp example' }, '/host'],
  [{ from: 'Agent Traffic' }, '/from'],
  [{ from: 'Agent Traffic <alerts@example.com' }, '/from'],
  [{ from: 'a@example.com, b@example.com' }, '/from'],
  [{ from: 'alerts@example.com\r\nBcc: b@example.com' }, '/from'],
  [{ user: 'ada' }, '/password'],
])('rejects %j', async (change, pointer) => {
  const { status, body } = await admin.call('PUT', PATH, local(change));
  expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
});

const login = (password: string) => ({ user: 'ada', password });
it.each<[string, () => object, RegExp, RegExp | null]>([
  ['an unknown host', () => ({ host: 'mail.invalid' }), /^The host name mail\.invalid wasn't found/, null],
  ['a wrong password', () => ({ port: portOf(strict), ...login('wrong') }), /rejected the login of ada/, /^535 /],
  ['an untrusted certificate', () => ({ port: portOf(strict), security: 'starttls' }), /certificate/, null],
  [
    'TLS on a port for STARTTLS',
    () => ({ port: portOf(strict), security: 'tls' }),
    /\(wrong version number\)\. .* choose STARTTLS\.$/,
    null,
  ],
  ['STARTTLS without support', () => ({ security: 'starttls' }), /doesn't support STARTTLS/, /^500 /],
  ['a missing login', () => ({ port: portOf(strict) }), /requires a login/, /^530 /],
  [
    'a rejected sender',
    () => ({ port: portOf(strict), ...login(SMTP_PASSWORD), from: 'eve@example.com' }),
    /rejected the sender/,
    /^553 /,
  ],
  [
    'a rejected recipient',
    () => ({ port: portOf(strict), ...login(SMTP_PASSWORD) }),
    /rejected your address/,
    /^550 .*No relaying/,
  ],
])('explains %s', async (_, change, error, response) => {
  await set(change());
  const result = await sendTest();
  expect(result.error).toMatch(error);
  if (response === null) expect(result.response).toBeNull();
  else expect(result.response).toMatch(response);
});

it("doesn't send a test email for an API key without an account", async () => {
  await set();
  expect((await app.api('POST', `${PATH}/test`, {})).status).toBe(409);
});

it('uses the environment variables if they are set, and rejects changes', async () => {
  const configured = await App.start({ mail: mail.settings });
  try {
    const person = await Person.administrator(configured.nest, ADDRESS, PASSWORD);
    const stored = `INSERT INTO mail_server (host, port, security, sender) VALUES ('other.invalid', 25, 'none', 'x@y')`;
    await configured.database.dataSource.query(stored);
    expect((await person.call('GET', PATH)).body).toMatchObject({
      source: 'environment',
      host: '127.0.0.1',
      port: mail.settings.port,
    });
    expect((await person.call('PUT', PATH, local())).status).toBe(409);
    expect((await person.call('DELETE', PATH)).status).toBe(409);
    expect((await person.call('POST', `${PATH}/test`, {})).body.error).toBeNull();
  } finally {
    await configured.dispose();
  }
});
