import type { AddressInfo } from 'node:net';
import { inflateSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { App, type Json } from '../../../../test/kit/app.js';
import { until } from '../../../../test/kit/instance.js';
import { Person } from '../../../../test/kit/person.js';
import { storeVisits, type StoredVisit } from '../../../../test/kit/stored-visits.js';
import { createMember, PASSWORD, type Member } from '../../../../test/kit/tenant.js';
import { MailInterruptedError, type MailOptions, type MailSender } from '../alerts/channels/mail.sender.js';
import { LoadService } from '../statistics/load.service.js';
import { ReportsService } from './reports.service.js';
import { ReportRecipientsRepository } from './report-recipients.repository.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import { ReportBuilder } from './report-builder.service.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday at 8:00 in Berlin. */
const MONDAY = Date.parse('2026-11-23T07:00:00Z');

interface ReceivedMail {
  to: string[];
  raw: string;
}
const mails: ReceivedMail[] = [];
/** Step at which the mail server rejects emails, or null to accept them. */
let refused: 'address' | 'mail' | null = null;

let smtp: SMTPServer;
let app: App;
let admin: Person;
let now = MONDAY - 3 * DAY_MS;

beforeAll(async () => {
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_, __, callback) => callback(refused === 'address' ? new Error('Try again later.') : null),
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          if (refused === 'mail') return callback(new Error('Try again later.'));
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const raw = Buffer.concat(chunks).toString();
          // Ignore the administrator's sign-in notification.
          if (!to.includes('root@example.com')) mails.push({ to, raw });
          return callback();
        });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  app = await App.start({
    clock: () => now,
    publicUrl: 'https://traffic.example',
    mail: {
      host: '127.0.0.1',
      port: (smtp.server.address() as AddressInfo).port,
      security: 'none',
      user: null,
      password: null,
      from: 'Agent Traffic <reports@example.com>',
    },
  });
  admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
});
beforeEach(() => {
  mails.length = 0;
  refused = null;
  now = MONDAY - 3 * DAY_MS;
});
afterEach(() => app.database.dataSource.query('DELETE FROM report_subscriptions'));
afterAll(async () => {
  await app?.dispose();
  await new Promise<void>((resolve) => smtp?.close(resolve));
});

const newProject = async (name: string): Promise<string> =>
  (await app.api('POST', '/projects', { name, time_zone: 'Europe/Berlin' })).body.id;

async function subscriber(projectId: string): Promise<Member> {
  const person = await createMember(admin, projectId, 'viewer');
  const { status, body } = await person.call('PUT', '/account/reports', { project_ids: [projectId] });
  expect([status, body]).toEqual([200, { can_send_mail: true, project_ids: [projectId] }]);
  return person;
}

/** Sends due reports three times in parallel, to simulate several processes. */
const sendDue = (): Promise<unknown> => Promise.all([1, 2, 3].map(() => app.nest.get(ReportsService).sendDue()));

/** Decodes quoted-printable text in bodies and headers. */
const decodeQuotedPrintable = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

function getPart({ raw }: ReceivedMail, type: string): string {
  const [, encoding, body = ''] =
    new RegExp(`Content-Type: ${type}[^]*?Content-Transfer-Encoding: ([\\w-]+)[^]*?\r\n\r\n([^]*?)\r\n--`).exec(raw) ??
    [];
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('latin1');
  return decodeQuotedPrintable(body.replaceAll('=\r\n', '')).replaceAll('\r\n', '\n');
}

function getHeader({ raw }: ReceivedMail, name: string): string {
  const [, value = ''] = new RegExp(`^${name}:([^]*?)\r\n(?! )`, 'm').exec(raw) ?? [];
  const unfolded = value.replaceAll('\r\n', '').trim();
  if (!unfolded.startsWith('=?')) return unfolded;
  return decodeQuotedPrintable(unfolded.replaceAll(/\?= =\?UTF-8\?Q\?|^=\?UTF-8\?Q\?|\?=$/g, '').replaceAll('_', ' '));
}

it("sends the report on Monday at 8:00 in the project's time zone, once a week", async () => {
  const person = await subscriber(await newProject('Punctual'));
  now = MONDAY - 1;
  await sendDue();
  expect(mails).toEqual([]);
  now = MONDAY;
  await sendDue();
  expect(mails.map(({ to }) => to)).toEqual([[person.email]]);
  now = MONDAY + 7 * DAY_MS - 1;
  await sendDue();
  expect(mails).toHaveLength(1);
  // After weeks without a running process, only the last complete week is reported.
  now = MONDAY + 21 * DAY_MS + HOUR_MS;
  await sendDue();
  await sendDue();
  expect(mails).toHaveLength(2);
  expect(getPart(mails[1]!, 'text/plain')).toMatch(/^Weekly report, Dec 7 – 13, 2026\nPunctual(,|\n)/);
});

it('reports each week once after an outage that ends before 8:00 on a Monday', async () => {
  await subscriber(await newProject('Late'));
  now = MONDAY + 7 * DAY_MS - HOUR_MS;
  await sendDue();
  expect(getPart(mails[0]!, 'text/plain')).toMatch(/^Weekly report, Nov 23 – 29, 2026\nLate(,|\n)/);
  now = MONDAY + 7 * DAY_MS;
  await sendDue();
  expect(mails).toHaveLength(1);
  now = MONDAY + 14 * DAY_MS;
  await sendDue();
  expect(getPart(mails[1]!, 'text/plain')).toMatch(/^Weekly report, Nov 30 – Dec 6, 2026\nLate(,|\n)/);
});

it.each([
  ['Pacific/Honolulu', 11],
  ['Pacific/Auckland', 0],
])("reports each week once after the project's time zone changes to %s", async (zone, hours) => {
  const id = await newProject('Moved');
  await subscriber(id);
  now = MONDAY;
  await sendDue();
  expect((await app.api('PATCH', `/projects/${id}`, { time_zone: zone })).status).toBe(200);
  for (let hour = 0; hour <= 11; hour += 1) {
    now = MONDAY + 7 * DAY_MS + hour * HOUR_MS;
    await sendDue();
    expect(mails).toHaveLength(hour < hours ? 1 : 2);
  }
  expect(getPart(mails[1]!, 'text/plain')).toMatch(/^Weekly report, Nov 23 – 29, 2026\nMoved(,|\n)/);
});

it('ignores a report result from a process whose claim has expired', async () => {
  await subscriber(await newProject('Slow'));
  const subscriptions = app.nest.get(SubscriptionsRepository);
  const slow = (await subscriptions.claim(MONDAY))!;
  const [again, other] = [MONDAY + 600_000, (await subscriptions.claim(MONDAY + 600_000))!];
  expect(await subscriptions.extend(slow, again)).toBeNull();
  const next = { nextAttemptAt: new Date(MONDAY), attempts: 0, reportedWeek: null };
  await subscriptions.settle(slow, next);
  expect(await subscriptions.claim(again)).toBeUndefined();
  const extendedClaim = (await subscriptions.extend(other, again + 1_000))!;
  await subscriptions.settle(extendedClaim, { ...next, reportedWeek: '2026-11-16' });
  expect(await subscriptions.claim(MONDAY)).toMatchObject({ attempts: 1, reported_week: '2026-11-16' });
});

it('interrupts sending on shutdown and lets another process send later', async () => {
  const person = await subscriber(await newProject('Cut off'));
  now = MONDAY;
  const sendingStarted = Promise.withResolvers<void>();
  const hangUntilShutdown = ({ shutdownSignal: ending }: MailOptions): Promise<never> =>
    new Promise((_, reject) => {
      ending?.addEventListener('abort', () => reject(new MailInterruptedError('The process ended.')));
      sendingStarted.resolve();
    });
  const service = new ReportsService(
    app.nest.get(SubscriptionsRepository),
    app.nest.get(ReportRecipientsRepository),
    app.nest.get(ReportBuilder),
    { send: (_: unknown, options: MailOptions = {}) => hangUntilShutdown(options) } as unknown as MailSender,
    'https://traffic.example',
    () => now,
    pino({ level: 'silent' }),
  );
  const sent = service.sendDue();
  await sendingStarted.promise;
  await Promise.all([service.beforeApplicationShutdown(), sent]);
  // The report is due again immediately, and the interrupted attempt isn't counted.
  expect(await app.nest.get(SubscriptionsRepository).claim(now)).toMatchObject({ attempts: 1 });
  now += HOUR_MS;
  await sendDue();
  expect(mails.map(({ to }) => to)).toEqual([[person.email]]);
});

it('sends a report even if summing up the load fails', async () => {
  const id = await newProject('Slow');
  await subscriber(id);
  const failure = jest.spyOn(app.nest.get(LoadService), 'report').mockRejectedValue(new Error('too slow'));
  now = MONDAY;
  await sendDue();
  failure.mockRestore();
  expect(mails).toHaveLength(1);
  expect(getPart(mails[0]!, 'text/plain')).not.toContain('Agents cost you about');
});

it("sends a report with the overview's numbers and links in text and HTML, and a chart image", async () => {
  const id = await newProject('Shop <1>');
  await app.api('PATCH', `/projects/${id}`, { price_per_gb: 0.5 });
  const gptbot = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
  await storeVisits(app.database.dataSource, id, MONDAY, [
    ...Array.from({ length: 3 }, () => ({
      ...gptbot,
      at: '2026-11-16T10:00Z',
      path: '/shoes?<b>',
      extra: { response_size_in_bytes: 1e9 },
    })),
    { ...gptbot, at: '2026-11-22T22:59Z', path: '/late' },
    // One visit after the reported week, one in the week before it, and one before that.
    { ...gptbot, at: '2026-11-22T23:01Z', path: '/next' },
    { ...gptbot, at: '2026-11-15T22:59Z', path: '/shoes?<b>' },
    { ...gptbot, at: '2026-11-08T10:00Z' },
    { at: '2026-11-20T10:00Z', path: '/person' },
  ]);
  const person = await subscriber(id);
  now = MONDAY;
  await sendDue();
  const [mail] = mails;
  const query = 'from=2026-11-15T23%3A00%3A00.000Z&to=2026-11-22T23%3A00%3A00.000Z';
  const overview = (await person.call('GET', `/projects/${id}/overview?${query}&visitors=agents`)).body;
  expect(overview.current).toMatchObject({ agent_visits: 4, unknown_agent: 1 });

  expect(getHeader(mail!, 'Subject')).toBe('[Shop <1>] Weekly report, Nov 16 – 22, 2026: 4 agent visits');
  const base = `https://traffic.example/projects/${id}`;
  const text = getPart(mail!, 'text/plain');
  for (const line of [
    `Agent visits: 4 (from 1)\n  ${base}/visits?${query}`,
    `AI assistants sent no one, and agents made 4 visits (from 1).`,
    `People sent by AI: 0 (unchanged)\n  ${base}/referrals?${query}`,
    `Agents: 1 (unchanged)\n  ${base}/agents?${query}`,
    `No visits failed verification.`,
    `GPTBot: 4 (from 1)\n  ${base}/agents/`,
    `Agent visits by day, from Mon, Nov 16: 3, 0, 0, 0, 0, 0, 1`,
    `Cost:\nAgents cost you about $1.50.\nGPTBot: $1.50, 100% of the total\n  ${base}/load?${query}&agent=GPTBot`,
    `Overview: ${base}/overview?${query}`,
  ]) {
    expect(text).toContain(line);
  }
  const page = getPart(mail!, 'text/html');
  expect(page).toContain('Shop &lt;1&gt;');
  expect(page).toContain(`<a href="${base}/overview?${query.replace('&', '&amp;')}"`);
  expect(page).not.toMatch(/<(b|1)>/);
  expect(page).toContain('<img src="cid:visits-by-day@agent-traffic"');

  const picture = Buffer.from(getPart(mail!, 'image/png'), 'latin1');
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([560, 120]);
  const pixels = inflateSync(picture.subarray(picture.indexOf('IDAT') + 4));
  const opacity = (x: number, y: number): number => pixels[y * (1 + 560 * 4) + 1 + x * 4 + 3]!;
  // Monday's bar has the full height, and Sunday's has a third of it. Days without visits are a thin line.
  expect([opacity(5, 0), opacity(100, 0), opacity(100, 119), opacity(500, 70), opacity(500, 90)]).toEqual([
    255, 0, 255, 0, 255,
  ]);
});

it('prevents visitor-supplied paths from adding links or sentences to the email', async () => {
  const id = await newProject('Lured');
  const path = '/evil.example/ Your account is blocked, write to eve@evil.example';
  const bot = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI', at: '2026-11-16T10:00Z' };
  await storeVisits(app.database.dataSource, id, MONDAY, [{ ...bot, path }]);
  await subscriber(id);
  now = MONDAY;
  await sendDue();
  const displayPath = '/evil[.]example/%20Your%20account%20is%20blocked,%20write%20to';
  const text = getPart(mails[0]!, 'text/plain');
  expect(text).toContain(`\n${displayPath}…: 1`);
  const page = getPart(mails[0]!, 'text/html');
  expect(page).toContain(`">${displayPath}…</a>`);
  // The rest of the path only appears in this instance's own URLs.
  for (const part of [text.replaceAll(/https:\S+/g, ''), page.replaceAll(/<[^>]*>/g, '')]) {
    expect(part).not.toMatch(/evil\.|eve@|Your account/);
  }
});

it('suggests a next step after a week without agent visits', async () => {
  const id = await newProject('Silent');
  const person = await subscriber(id);
  now = MONDAY;
  await sendDue();
  expect(getPart(mails[0]!, 'text/plain')).toContain(
    `to find out which step fails.\nSend a test visit: https://traffic.example/projects/${id}/get-started`,
  );
  expect(mails[0]!.raw).not.toContain('image/png');
  await storeVisits(app.database.dataSource, id, MONDAY + 7 * DAY_MS, [{ at: '2026-11-25T10:00Z', path: '/person' }]);
  now = MONDAY + 7 * DAY_MS;
  await sendDue();
  expect(getPart(mails[1]!, 'text/plain')).toContain('the catalog made 1 visit.\nView unlisted programs: https://');
  expect((await person.call('PUT', '/account/reports', { project_ids: [] })).body.project_ids).toEqual([]);
});

it('unsubscribes on a one-click POST, but not when a link scanner opens the URL', async () => {
  const id = await newProject('Ended');
  const person = await subscriber(id);
  now = MONDAY;
  await sendDue();
  expect(getHeader(mails[0]!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  const url = new URL(/<(.+)>/.exec(getHeader(mails[0]!, 'List-Unsubscribe'))![1]!);
  expect(getPart(mails[0]!, 'text/plain')).toContain(`Unsubscribe: ${url}`);
  const opened = await app.nest.inject({ url: url.pathname });
  const secret = url.pathname.split('/').at(-1);
  expect([opened.statusCode, opened.headers['location']]).toEqual([302, `/unsubscribe?of=${secret}`]);
  const loadProjectIds = async (): Promise<string[]> => (await person.call('GET', '/account/reports')).body.project_ids;
  expect(await loadProjectIds()).toEqual([id]);
  for (let click = 0; click < 2; click += 1) {
    const { statusCode } = await app.nest.inject({
      method: 'POST',
      url: url.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(statusCode).toBe(204);
  }
  expect(await loadProjectIds()).toEqual([]);
  const [entry] = (await app.api('GET', '/audit-entries?subject=report_subscription')).body.entries;
  expect(entry).toMatchObject({ operation: 'unsubscribe', change: 'removed', actor: { type: 'visitor' } });
  expect(JSON.stringify(entry)).not.toContain(secret);
});

it.each(['address', 'mail'] as const)(
  'retries and eventually skips the week if the mail server rejects the %s',
  async (what) => {
    const person = await subscriber(await newProject('Refused'));
    refused = what;
    now = MONDAY;
    await sendDue();
    await sendDue();
    const attempts = async (): Promise<Json> =>
      (await app.database.dataSource.query(`SELECT attempts, next_attempt_at FROM report_subscriptions`))[0];
    expect((await attempts()).attempts).toBe(1);
    now = (await attempts()).next_attempt_at.getTime();
    expect(now).toBeLessThan(MONDAY + 10_000);
    refused = null;
    await sendDue();
    expect(mails.map(({ to }) => to)).toEqual([[person.email]]);
    const due = MONDAY + 7 * DAY_MS;
    expect(await attempts()).toEqual({ attempts: 0, next_attempt_at: new Date(due) });

    refused = what;
    now = due;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await sendDue();
      now = (await attempts()).next_attempt_at.getTime();
    }
    expect(now).toBe(due + 7 * DAY_MS);
  },
);

it('sends the report from another process if the first one crashes', async () => {
  await subscriber(await newProject('Orphaned'));
  now = MONDAY;
  // Simulate a process that crashed while sending.
  await app.database.dataSource.query(`UPDATE report_subscriptions SET attempts = 1, next_attempt_at = $1`, [
    new Date(now + 600_000),
  ]);
  await sendDue();
  expect(mails).toEqual([]);
  now += 600_000;
  await sendDue();
  expect(mails).toHaveLength(1);
});

it('sends no reports to users who lost access to the project', async () => {
  const [site, other] = [await newProject('Left'), await newProject('Secret')];
  const person = await subscriber(site);
  const refused = await person.call('PUT', '/account/reports', { project_ids: [site, other] });
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [{ pointer: '/project_ids/1', detail: 'must be the ID of a project that you have access to' }],
  ]);
  await admin.call('DELETE', `/projects/${site}/members/${person.id}`);
  expect((await person.call('GET', '/account/reports')).body.project_ids).toEqual([]);
  now = MONDAY;
  await sendDue();
  expect(mails).toEqual([]);
  expect(await app.database.dataSource.query('SELECT FROM report_subscriptions')).toEqual([]);
});

describe('recipients without an account', () => {
  const getConfirmationSecret = ({ raw }: ReceivedMail): string =>
    /report-mail\?of=(?:3D)?([\w-]+)/.exec(raw.replaceAll('=\r\n', ''))![1]!;
  const confirm = (secret: string) =>
    app.nest.inject({ method: 'POST', url: `/api/unsubscriptions/${secret}/confirmation`, payload: {} });
  const waitForMail = () => until(async () => mails.length > 0, { condition: 'an email arrives' });

  it('get reports from when they confirm their address until they unsubscribe', async () => {
    const id = await newProject('Open');
    const path = `/projects/${id}/report`;
    const added = await app.api('POST', `${path}/recipients`, { address: 'Boss@example.com' });
    expect([added.status, added.body]).toEqual([
      201,
      { id: expect.any(String), address: 'boss@example.com', is_member: false, is_confirmed: false, delivery: null },
    ]);
    expect((await app.api('POST', `${path}/recipients`, { address: 'boss@example.com' })).status).toBe(409);
    await waitForMail();
    const [confirmation] = mails.splice(0);
    expect(confirmation!.to).toEqual(['boss@example.com']);
    now = MONDAY;
    await sendDue();
    expect((await app.api('POST', `${path}/send`, { to: 'everyone' })).body).toEqual({ recipients: 0 });
    expect(mails).toEqual([]);

    now = MONDAY + HOUR_MS;
    const secret = getConfirmationSecret(confirmation!);
    expect((await confirm(secret)).statusCode).toBe(204);
    const { recipients } = (await app.api('GET', path)).body;
    expect(recipients).toEqual([{ ...added.body, is_confirmed: true }]);
    expect(JSON.stringify(recipients)).not.toContain(secret);
    now = MONDAY + 7 * DAY_MS;
    await sendDue();
    expect(mails.map(({ to }) => to)).toEqual([['boss@example.com']]);
    expect(getPart(mails[0]!, 'text/plain')).toContain('because you confirmed that you want it');

    const unsubscribeUrl = new URL(/<(.+)>/.exec(getHeader(mails[0]!, 'List-Unsubscribe'))![1]!).pathname;
    expect((await app.nest.inject({ method: 'POST', url: unsubscribeUrl })).statusCode).toBe(204);
    expect((await app.api('GET', path)).body.recipients).toEqual([]);
    expect((await confirm(secret)).statusCode).toBe(404);
    expect((await app.api('POST', `${path}/recipients`, { address: 'boss@example.com' })).status).toBe(409);
  });

  it('are removed if they do not confirm their address within a week', async () => {
    const path = `/projects/${await newProject('Ignored')}/report`;
    await app.api('POST', `${path}/recipients`, { address: 'silent@example.com' });
    await waitForMail();
    const age = (days: number) =>
      app.database.dataSource.query(`UPDATE report_subscriptions SET created_at = now() - make_interval(days => $1)`, [
        days,
      ]);
    await age(6);
    await sendDue();
    expect((await app.api('GET', path)).body.recipients).toHaveLength(1);
    await age(8);
    await sendDue();
    expect((await app.api('GET', path)).body.recipients).toEqual([]);
  });

  it('rejects unknown confirmations and those of removed recipients', async () => {
    const id = await newProject('Removed');
    const path = `/projects/${id}/report/recipients`;
    const { id: recipientId } = (await app.api('POST', path, { address: 'left@example.com' })).body;
    await waitForMail();
    const other = await newProject('Foreign');
    expect((await app.api('DELETE', `/projects/${other}/report/recipients/${recipientId}`)).status).toBe(404);
    expect((await app.api('DELETE', `${path}/${recipientId}`)).status).toBe(204);
    expect((await confirm(getConfirmationSecret(mails[0]!))).statusCode).toBe(404);
    expect((await confirm('x')).statusCode).toBe(404);
  });

  it('limits confirmation emails per address', async () => {
    const id = await newProject('Flooded');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { status, body } = await app.api('POST', `/projects/${id}/report/recipients`, {
        address: 'eve@example.com',
      });
      statuses.push(status);
      if (status === 201) await app.api('DELETE', `/projects/${id}/report/recipients/${body.id}`);
    }
    expect(statuses.at(-1)).toBe(429);
    const sent = statuses.filter((status) => status === 201).length;
    await until(async () => mails.length === sent, { condition: 'the emails arrive' });
  });
});

it('sends the report on request to the caller or to everyone, without changing the schedule', async () => {
  const id = await newProject('Now');
  const person = await subscriber(id);
  const owner = await createMember(admin, id, 'owner');
  const path = `/projects/${id}/report/send`;
  expect((await person.call('POST', path, { to: 'me' })).status).toBe(403);
  const delivery = async (): Promise<Json> =>
    (await app.api('GET', `/projects/${id}/report`)).body.recipients[0].delivery;
  const waitForState = (state: string) =>
    until(async () => (await delivery())?.state === state, { condition: `the report is ${state}` });
  expect(await delivery()).toBeNull();
  expect((await owner.call('POST', path, { to: 'me' })).body).toEqual({ recipients: 1 });
  expect((await owner.call('POST', path, { to: 'everyone', period: 'last_month' })).body).toEqual({ recipients: 1 });
  await waitForState('sent');
  expect(mails.map(({ to }) => to)).toEqual([[owner.email], [person.email]]);
  expect(mails.map((mail) => getPart(mail, 'text/plain').split('\n')[0])).toEqual([
    'Weekly report, Nov 9 – 15, 2026',
    'Monthly report, Oct 1 – 31, 2026',
  ]);
  refused = 'mail';
  expect((await owner.call('POST', path, { to: 'me' })).status).toBe(409);
  await owner.call('POST', path, { to: 'everyone' });
  await waitForState('failed');
  expect((await delivery()).error).toBe('The mail server responded with status 450.');
  refused = null;
  expect((await app.api('POST', path, { to: 'me' })).status).toBe(422);
  now = MONDAY;
  await sendDue();
  expect(mails).toHaveLength(3);
});

it('continues sending a requested report after a restart, without sending it to anyone twice', async () => {
  const id = await newProject('Resumed');
  const people = [await subscriber(id), await subscriber(id), await subscriber(id)];
  const recipients = app.nest.get(ReportRecipientsRepository);
  expect(await recipients.request(id, { period: null, at: now })).toBe(3);
  // The first process crashes while sending to one recipient, and doesn't start sending to another.
  const crashed = (await recipients.claimRequest(now))!;
  await recipients.releaseRequest((await recipients.claimRequest(now))!);
  await app.nest.get(ReportsService).sendRequested();
  expect(mails.flatMap(({ to }) => to).toSorted()).toEqual(
    people
      .map(({ email }) => email)
      .filter((email) => email !== crashed.email)
      .toSorted(),
  );
  const getStates = async (): Promise<Json> =>
    (await app.api('GET', `/projects/${id}/report`)).body.recipients.map(({ delivery }: Json) => delivery.state);
  expect((await getStates()).toSorted()).toEqual(['sending', 'sent', 'sent']);
  now += HOUR_MS;
  expect((await getStates()).toSorted()).toEqual(['failed', 'sent', 'sent']);
});

it('claims one requested report at a time, also with outdated statistics', async () => {
  const id = await newProject('Claimed');
  for (let count = 0; count < 4; count += 1) await subscriber(id);
  const recipients = app.nest.get(ReportRecipientsRepository);
  await recipients.request(id, { period: null, at: now });
  // PostgreSQL then joins row by row, and would run a subquery for each row.
  await app.database.dataSource.query(
    `UPDATE pg_class SET reltuples = 1, relpages = 1 WHERE relname = 'report_subscriptions'`,
  );
  const claimed = (await recipients.claimRequest(now))!;
  const waiting: Json[] = await app.database.dataSource.query(
    `SELECT id FROM report_subscriptions WHERE requested_report IS NOT NULL`,
  );
  expect(waiting).toHaveLength(3);
  await recipients.releaseRequest(claimed);
  await app.nest.get(ReportsService).sendRequested();
  expect(mails).toHaveLength(4);
});

it("retries a requested report for an hour if its data can't be read", async () => {
  const id = await newProject('Unreadable');
  const [first, second] = [await subscriber(id), await subscriber(id)];
  const recipients = app.nest.get(ReportRecipientsRepository);
  expect(await recipients.request(id, { period: null, at: now })).toBe(2);
  const build = jest.spyOn(app.nest.get(ReportBuilder), 'build').mockRejectedValueOnce(new Error('too slow'));
  await app.nest.get(ReportsService).sendRequested();
  expect(mails).toHaveLength(1);
  await app.nest.get(ReportsService).sendRequested();
  expect(mails.flatMap(({ to }) => to).toSorted()).toEqual([first.email, second.email].toSorted());

  expect(await recipients.request(id, { period: null, at: now })).toBe(2);
  now += HOUR_MS;
  build.mockRejectedValue(new Error('too slow'));
  await app.nest.get(ReportsService).sendRequested();
  build.mockRestore();
  await app.nest.get(ReportsService).sendRequested();
  expect(mails).toHaveLength(2);
  const { body } = await app.api('GET', `/projects/${id}/report`);
  expect(body.recipients.map(({ delivery }: Json) => delivery.state)).toEqual(['failed', 'failed']);
});

describe('networks that posed as agents', () => {
  const visit = { at: '2026-11-17T10:00Z', address: '203.0.113.7' };
  const fake = { ...visit, result: 'verification_failed', reason: 'address_not_listed' } as const;
  const genuine = { ...visit, agent: 'CCBot', result: 'not_verifiable', reason: 'no_method' } as const;
  const repeat = (count: number, repeated: StoredVisit) => Array.from({ length: count }, () => repeated);

  /** Returns the sentence about the network, and the number of visits that it links to. */
  async function describeNetwork(...visits: StoredVisit[]): Promise<[text: string, linked: number]> {
    const id = await newProject('Cloud');
    await storeVisits(app.database.dataSource, id, MONDAY, [
      { ...genuine, at: '2026-11-01T10:00Z' },
      ...repeat(50, { ...genuine, at: '2026-11-10T10:00Z' }),
      ...repeat(50, genuine),
      ...visits,
    ]);
    now = MONDAY;
    const [{ text, url }] = (await app.api('GET', `/projects/${id}/report`)).body.report.changes.items;
    const { body } = await app.api('GET', `/projects/${id}/visits/count${new URL(url).search}`);
    return [text, body.visits];
  }

  it('are not blamed for visits by genuine agents', async () => {
    const visits = repeat(20, { ...fake, agent: 'Googlebot' });
    expect(await describeNetwork(...visits)).toEqual(['203.0.113.0/24 made 20 visits posing as Googlebot.', 20]);
  });

  it('are linked to as many visits as the sentence counts', async () => {
    const agents = ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'Bytespider', 'Amazonbot', 'Applebot'];
    const others = ['Bingbot', 'YandexBot', 'DuckDuckBot', 'PetalBot', 'AhrefsBot', 'SemrushBot'];
    const [text, linked] = await describeNetwork(
      ...agents.flatMap((agent) => repeat(40, { ...fake, agent })),
      ...others.flatMap((agent) => repeat(6, { ...fake, agent })),
    );
    expect(text).toContain(`203.0.113.0/24 made ${linked} visits posing as `);
  });
});

it('sends reports by the schedule, with the most important numbers first', async () => {
  const id = await newProject('Monthly');
  const gptbot = { agent: 'GPTBot', type: 'AI Data Scraper', operator: 'OpenAI' };
  await storeVisits(app.database.dataSource, id, MONDAY, [
    ...Array.from({ length: 40 }, () => ({ ...gptbot, at: '2026-11-10T10:00Z' })),
    ...Array.from({ length: 10 }, () => ({ ...gptbot, at: '2026-10-10T10:00Z' })),
    { ...gptbot, at: '2026-09-10T10:00Z' },
  ]);
  await subscriber(id);
  const path = `/projects/${id}/report`;
  const schedule = { frequency: 'monthly', weekday: 1, time_zone: null };
  expect((await app.api('PUT', `${path}/schedule`, { ...schedule, time_zone: 'Mars/Olympus' })).status).toBe(422);
  expect((await app.api('PUT', `${path}/schedule`, schedule)).body).toEqual(schedule);
  now = Date.parse('2026-12-01T07:00:00Z') - 1;
  await sendDue();
  expect(mails).toEqual([]);
  now += 1;
  const { body } = await app.api('GET', path);
  expect([body.next_at, body.report.period, body.report.days.length]).toEqual([
    '2027-01-01T07:00:00.000Z',
    'Nov 1 – 30, 2026',
    30,
  ]);
  const { items } = body.report.changes;
  expect(items.map(({ text }: Json) => text)).toEqual([
    'Agent visits rose from 10 to 40 (+300%).',
    'GPTBot made 30 more visits (+300%).',
  ]);
  await sendDue();
  expect(getPart(mails[0]!, 'text/plain')).toMatch(
    /^Monthly report, Nov 1 – 30, 2026\nMonthly, compared with the previous month\n\nAI assistants sent no one, and agents made 40 visits \(\+300%\)\./,
  );
});
