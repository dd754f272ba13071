import { jest } from '@jest/globals';
import { App } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { until } from '../kit/instance.js';
import { MailServer, type ReceivedMail } from '../kit/mail-server.js';
import { CLIENT, OpenIdProvider } from '../kit/openid-provider.js';
import { Person } from '../kit/person.js';
import { newMember, PASSWORD, type Member } from '../kit/tenant.js';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const clock = new TestClock();

let app: App;
let mail: MailServer;
let provider: OpenIdProvider;
let admin: Person;
let projectId: string;
let member: Member;

beforeAll(async () => {
  // Silences the provider's setup advice.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  [mail, provider] = await Promise.all([
    MailServer.start(),
    OpenIdProvider.start(`${PUBLIC_URL}/api/session/oidc/callback`),
  ]);
  const oidc = {
    issuer: provider.issuer,
    ...CLIENT,
    name: 'Example Login',
    adminEmails: [],
    signUp: true,
    trustEmails: false,
    onlyDomains: [],
  };
  app = await App.start({ clock: clock.now, mail: mail.settings, oidc });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await mailTo('root@example.com');
  projectId = (await admin.call('GET', '/projects')).body.projects[0].id;
});
beforeEach(async () => {
  member = await newMember(admin, projectId, 'member');
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app?.dispose();
  await Promise.all([mail?.dispose(), provider?.dispose()]);
});

const mailsTo = (email: string): ReceivedMail[] => mail.mails.filter(({ to }) => to.includes(email));
const mailTo = (email: string, which = 0): Promise<ReceivedMail> =>
  until(async () => mailsTo(email)[which], { what: `a mail to ${email}` }) as Promise<ReceivedMail>;

/** Waits until all earlier mails have arrived, by sending a later one to somebody else. */
async function settle(): Promise<void> {
  const { email } = await newMember(admin, projectId, 'member');
  await new Person(app.nest).signIn(email, PASSWORD);
  await mailTo(email);
}

it('sends one notice with details for a sign-in in a new browser', async () => {
  const browser = new Person(app.nest);
  const agent = { 'user-agent': 'Mozilla/5.0 (Windows) Firefox/145.0 www.evil.example: call 555-0100' };
  expect((await browser.call('POST', '/session', { email: member.email, password: PASSWORD }, agent)).status).toBe(200);
  const { to, text } = await mailTo(member.email);
  expect(to).toEqual([member.email]);
  const lines = text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(lines).toContain('Subject: New sign-in to Agent Traffic (127.0.0.1:3000)');
  expect(lines).toContain(`Address: ${browser.address}`);
  expect(lines).toContain(`${PUBLIC_URL}/account#sessions`);
  expect(lines).toContain('Browser: Firefox on Windows\r\n');
  expect(lines).not.toMatch(/evil|555/);
  await browser.call('DELETE', '/session');
  expect((await browser.signIn(member.email, PASSWORD)).status).toBe(200);
  // Creating the account sends no notice.
  await settle();
  expect(mailsTo(member.email)).toHaveLength(1);
});

it('contains no attacker-controlled text, and is limited per recipient', async () => {
  const name = 'Blocked: visit www.evil.example';
  const victim = 'victim@elsewhere.example';
  await member.call('PATCH', '/account', { name, email: victim, current_password: PASSWORD });
  for (let browser = 0; browser < 8; browser += 1) {
    expect((await new Person(app.nest).signIn(victim, PASSWORD)).status).toBe(200);
  }
  await settle();
  const told = mailsTo(victim).length;
  // The limit is 5. A sixth mail may pass once part of the allowance has been refilled.
  expect([5, 6]).toContain(told);
  expect(mailsTo(victim)[0]!.text).not.toMatch(/Blocked|evil/);
  // The limit applies to the account and to the email address.
  await member.call('PATCH', '/account', { email: 'next@elsewhere.example', current_password: PASSWORD });
  const accomplice = await newMember(admin, projectId, 'member');
  await accomplice.call('PATCH', '/account', { email: victim, current_password: PASSWORD });
  for (const email of ['next@elsewhere.example', victim]) await new Person(app.nest).signIn(email, PASSWORD);
  await settle();
  expect([mailsTo('next@elsewhere.example'), mailsTo(victim)].map((mails) => mails.length)).toEqual([0, told]);
});

it('treats a browser with a foreign or forged device cookie as new', async () => {
  const browser = new Person(app.nest);
  browser.cookies.set('agent_traffic_device', admin.cookies.get('agent_traffic_device')!);
  expect((await browser.signIn(member.email, PASSWORD)).status).toBe(200);
  await mailTo(member.email);
  const forger = new Person(app.nest);
  forger.cookies.set('agent_traffic_device', browser.cookies.get('agent_traffic_device')!.replace(/.{6}$/, 'AAAA%3D'));
  expect((await forger.signIn(member.email, PASSWORD)).status).toBe(200);
  await mailTo(member.email, 1);
});

it('sends no further notices when two accounts alternate in a browser', async () => {
  const other = await newMember(admin, projectId, 'member');
  const shared = new Person(app.nest);
  for (const { email } of [member, other, member, other]) {
    expect((await shared.signIn(email, PASSWORD)).status).toBe(200);
    await shared.call('DELETE', '/session');
  }
  await settle();
  expect([member, other].map(({ email }) => mailsTo(email).length)).toEqual([1, 1]);
});

it('is sent only after the second factor, and after a password reset', async () => {
  const { app: phone } = await Authenticator.setUp(member, clock);
  const browser = new Person(app.nest);
  expect((await browser.signIn(member.email, PASSWORD)).body.second_factor_required).toBe(true);
  await settle();
  expect(mailsTo(member.email)).toEqual([]);
  expect((await browser.call('POST', '/session/second-factor', { code: await phone.next() })).status).toBe(200);
  await mailTo(member.email);
  await admin.call('DELETE', `/users/${member.id}/second-factor`);
  const { url } = (await admin.call('POST', '/password-resets', { email: member.email })).body;
  await new Person(app.nest).call('POST', new URL(url).pathname, { password: `${PASSWORD} anew` });
  await mailTo(member.email, 1);
});

it('is also sent for sign-ins with the OpenID provider', async () => {
  provider.people.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
  const signIn = async (person: Person): Promise<void> => {
    const begun = await person.call('GET', '/session/oidc');
    const back = new URL(await provider.visit(String(begun.headers['location']), 'ada'));
    await person.call('GET', back.pathname.replace('/api', '') + back.search);
    expect((await person.call('GET', '/session')).body.user).toMatchObject({ email: 'ada@example.com' });
  };
  // The first sign-in creates the account.
  const browser = new Person(app.nest);
  await signIn(browser);
  await signIn(browser);
  await signIn(new Person(app.nest));
  await mailTo('ada@example.com');
  await settle();
  expect(mailsTo('ada@example.com')).toHaveLength(1);
});

it('does not block sign-ins during a mail server outage', async () => {
  mail.isRefusing = true;
  expect((await new Person(app.nest).signIn(member.email, PASSWORD)).status).toBe(200);
  mail.isRefusing = false;
});
