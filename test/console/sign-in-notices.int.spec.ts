import { jest } from '@jest/globals';
import { App } from '../kit/app.js';
import { Authenticator, TestClock } from '../kit/authenticator.js';
import { until } from '../kit/instance.js';
import { MailServer, type ReceivedMail } from '../kit/mail-server.js';
import { OIDC_CLIENT, OpenIdProvider } from '../kit/openid-provider.js';
import { Person } from '../kit/person.js';
import { createMember, PASSWORD, type Member } from '../kit/tenant.js';

const PUBLIC_URL = 'http://127.0.0.1:3000';
const clock = new TestClock();

let app: App;
let mail: MailServer;
let provider: OpenIdProvider;
let admin: Person;
let projectId: string;
let member: Member;

beforeAll(async () => {
  // Suppress the provider's setup advice.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  [mail, provider] = await Promise.all([
    MailServer.start(),
    OpenIdProvider.start(`${PUBLIC_URL}/api/session/oidc/callback`),
  ]);
  const oidc = {
    issuer: provider.issuer,
    ...OIDC_CLIENT,
    name: 'Example Login',
    adminEmails: [],
    signUp: true,
    trustEmails: false,
    onlyDomains: [],
  };
  app = await App.start({ clock: clock.now, mail: mail.settings, oidc });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  await waitForEmail('root@example.com');
  projectId = (await admin.call('GET', '/projects')).body.projects[0].id;
});
beforeEach(async () => {
  member = await createMember(admin, projectId, 'member');
});
afterAll(async () => {
  jest.restoreAllMocks();
  await app?.dispose();
  await Promise.all([mail?.dispose(), provider?.dispose()]);
});

const findEmails = (email: string): ReceivedMail[] => mail.mails.filter(({ to }) => to.includes(email));
const waitForEmail = (email: string, index = 0): Promise<ReceivedMail> =>
  until(async () => findEmails(email)[index], { condition: `an email to ${email} arrives` }) as Promise<ReceivedMail>;

/** Waits until all previously sent emails have arrived, by sending one more to someone else. */
async function waitForPendingEmails(): Promise<void> {
  const { email } = await createMember(admin, projectId, 'member');
  await new Person(app.nest).signIn(email, PASSWORD);
  await waitForEmail(email);
}

it('sends one detailed notice after a sign-in from a new browser', async () => {
  const browser = new Person(app.nest);
  const agent = { 'user-agent': 'Mozilla/5.0 (Windows) Firefox/145.0 www.evil.example: call 555-0100' };
  expect((await browser.call('POST', '/session', { email: member.email, password: PASSWORD }, agent)).status).toBe(200);
  const { to, text } = await waitForEmail(member.email);
  expect(to).toEqual([member.email]);
  const lines = text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(lines).toContain('Subject: New sign-in to Agent Traffic (127.0.0.1:3000)');
  expect(lines).toContain(`IP address: ${browser.address}`);
  expect(lines).toContain(`${PUBLIC_URL}/account#sessions`);
  expect(lines).toContain('Browser: Firefox on Windows\r\n');
  // The message ID is random.
  expect(lines.replace(/^Message-ID:.*$/m, '')).not.toMatch(/evil|555/);
  await browser.call('DELETE', '/session');
  expect((await browser.signIn(member.email, PASSWORD)).status).toBe(200);
  // Creating an account doesn't send a notice.
  await waitForPendingEmails();
  expect(findEmails(member.email)).toHaveLength(1);
});

it('sends notices without attacker-controlled text and rate-limits them per recipient', async () => {
  const name = 'Blocked: visit www.evil.example';
  const victim = 'victim@elsewhere.example';
  await member.call('PATCH', '/account', { name, email: victim, current_password: PASSWORD });
  for (let browser = 0; browser < 8; browser += 1) {
    expect((await new Person(app.nest).signIn(victim, PASSWORD)).status).toBe(200);
  }
  await waitForPendingEmails();
  const noticeCount = findEmails(victim).length;
  // The limit is 5, but a sixth email may be sent if the bucket has partly refilled.
  expect([5, 6]).toContain(noticeCount);
  expect(findEmails(victim)[0]!.text).not.toMatch(/Blocked|evil/);
  // The limit applies to both the account and the email address.
  await member.call('PATCH', '/account', { email: 'next@elsewhere.example', current_password: PASSWORD });
  const accomplice = await createMember(admin, projectId, 'member');
  await accomplice.call('PATCH', '/account', { email: victim, current_password: PASSWORD });
  for (const email of ['next@elsewhere.example', victim]) await new Person(app.nest).signIn(email, PASSWORD);
  await waitForPendingEmails();
  expect([findEmails('next@elsewhere.example'), findEmails(victim)].map((mails) => mails.length)).toEqual([
    0,
    noticeCount,
  ]);
});

it('treats a browser as new if its device cookie is forged or belongs to another account', async () => {
  const browser = new Person(app.nest);
  browser.cookies.set('agent_traffic_device', admin.cookies.get('agent_traffic_device')!);
  expect((await browser.signIn(member.email, PASSWORD)).status).toBe(200);
  await waitForEmail(member.email);
  const forger = new Person(app.nest);
  forger.cookies.set('agent_traffic_device', browser.cookies.get('agent_traffic_device')!.replace(/.{6}$/, 'AAAA%3D'));
  expect((await forger.signIn(member.email, PASSWORD)).status).toBe(200);
  await waitForEmail(member.email, 1);
});

it('sends no further notices when two accounts alternate in the same browser', async () => {
  const other = await createMember(admin, projectId, 'member');
  const sharedBrowser = new Person(app.nest);
  for (const { email } of [member, other, member, other]) {
    expect((await sharedBrowser.signIn(email, PASSWORD)).status).toBe(200);
    await sharedBrowser.call('DELETE', '/session');
  }
  await waitForPendingEmails();
  expect([member, other].map(({ email }) => findEmails(email).length)).toEqual([1, 1]);
});

it('sends a notice after a password reset, and only after the second factor is verified', async () => {
  const { app: phone } = await Authenticator.enroll(member, clock);
  const browser = new Person(app.nest);
  expect((await browser.signIn(member.email, PASSWORD)).body.second_factor_required).toBe(true);
  await waitForPendingEmails();
  expect(findEmails(member.email)).toEqual([]);
  expect((await browser.call('POST', '/session/second-factor', { code: await phone.nextCode() })).status).toBe(200);
  await waitForEmail(member.email);
  await admin.call('DELETE', `/users/${member.id}/second-factor`);
  const { url } = (await admin.call('POST', '/password-resets', { email: member.email })).body;
  await new Person(app.nest).call('POST', new URL(url).pathname, { password: `${PASSWORD} anew` });
  await waitForEmail(member.email, 1);
});

it('also sends notices about sign-ins through the OpenID provider', async () => {
  provider.claimsByName.set('ada', { email: 'ada@example.com', email_verified: true, name: 'Ada' });
  const signIn = async (person: Person): Promise<void> => {
    const signInRequest = await person.call('GET', '/session/oidc');
    const back = new URL(await provider.signIn(String(signInRequest.headers['location']), 'ada'));
    await person.call('GET', back.pathname.replace('/api', '') + back.search);
    expect((await person.call('GET', '/session')).body.user).toMatchObject({ email: 'ada@example.com' });
  };
  // The first sign-in creates the account, so it doesn't send a notice.
  const browser = new Person(app.nest);
  await signIn(browser);
  await signIn(browser);
  await signIn(new Person(app.nest));
  await waitForEmail('ada@example.com');
  await waitForPendingEmails();
  expect(findEmails('ada@example.com')).toHaveLength(1);
});

it("doesn't block sign-ins during a mail server outage", async () => {
  mail.isRejecting = true;
  expect((await new Person(app.nest).signIn(member.email, PASSWORD)).status).toBe(200);
  mail.isRejecting = false;
});
