import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { App, type Json } from '../../../../../test/kit/app.js';
import { until } from '../../../../../test/kit/instance.js';
import { storeVisits } from '../../../../../test/kit/stored-visits.js';
import { AlertEvaluationService } from '../evaluation.service.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import type { AlertMessage } from './alert-message.js';

const HOUR_MS = 3_600_000;

interface Received {
  headers: Record<string, string>;
  body: string;
  path: string;
}

/** Response by path. Default: 204. */
const answers = new Map<string, { status: number; headers?: Record<string, string> }>();
/** Responses to these paths wait for the promise. */
const waiting = new Map<string, Promise<void>>();
/** Connections for these paths are closed without a response. */
const cut = new Set<string>();
const received: Received[] = [];
const mails: { to: string[]; text: string; user: string | undefined }[] = [];
/** The mail server accepts mails once this settles. */
let mailing = Promise.resolve();
/** Number of mails waiting for `mailing`. */
let held = 0;
/** SMTP response code by recipient. Default: 250. */
const refusals = new Map<string, number>();

let receiver: Server;
let smtp: SMTPServer;
let app: App;
let now = Date.now();
let base: string;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    await receive(request);
    if (cut.has(request.url!)) return void request.socket.destroy();
    await waiting.get(request.url!);
    const { status, headers = {} } = answers.get(request.url!) ?? { status: 204 };
    response.writeHead(status, headers).end();
  }).listen(0, '127.0.0.1');
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) =>
      callback(password === 'right' ? null : new Error('no'), { user: username }),
    onRcptTo: ({ address }, _, callback) => {
      const responseCode = refusals.get(address);
      callback(responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode }));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', async () => {
          held += 1;
          await mailing;
          held -= 1;
          const to = session.envelope.rcptTo.map(({ address }) => address);
          mails.push({
            to: to.map((each) => each.toLowerCase()),
            text: Buffer.concat(chunks).toString(),
            user: session.user,
          });
          callback();
        });
    },
  });
  await Promise.all([
    new Promise((resolve) => receiver.once('listening', resolve)),
    new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve)),
  ]);
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  app = await start();
});
beforeEach(() => {
  answers.clear();
  refusals.clear();
  received.length = 0;
  mails.length = 0;
});
afterAll(async () => {
  await app?.dispose();
  receiver?.closeAllConnections();
  receiver?.close();
  await new Promise<void>((resolve) => smtp?.close(resolve));
});

const start = (): Promise<App> =>
  App.start({
    clock: () => now,
    alertChannels: { allowPrivateAddresses: true },
    mail: {
      host: '127.0.0.1',
      port: (smtp.server.address() as AddressInfo).port,
      security: 'none',
      user: 'alerts',
      password: 'right',
      from: 'Agent Traffic <alerts@example.com>',
    },
  });

async function receive(request: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  received.push({
    headers: request.headers as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
    path: request.url!,
  });
}

async function newProject(of = app) {
  const { id } = (await of.api('POST', '/projects', { name: 'Shop <1>' })).body as { id: string };
  const path = `/projects/${id}/alert-channels`;
  return {
    id,
    path,
    add: async (kind: string, at: string): Promise<Json> =>
      (await of.api('POST', path, { kind, name: kind, url: base + at })).body,
    deliveries: async (): Promise<Json[]> => (await of.api('GET', `/projects/${id}/alert-deliveries`)).body.deliveries,
    channels: async (): Promise<Json[]> => (await of.api('GET', path)).body.channels,
  };
}

/** Confirms all recipients, as if they had followed the link in the confirmation mail. */
async function confirmAll(projectId: string, of = app): Promise<void> {
  const rows: { id: string }[] = await of.database.dataSource.query(
    `SELECT id FROM mail_recipients WHERE project_id = $1 AND confirmed_at IS NULL`,
    [projectId],
  );
  await until(() => mails.length >= rows.length, { what: 'recipients are asked' });
  for (const { id } of rows) {
    expect((await of.send('POST', `/api/mail-recipients/${id}/confirmation`, {}, {})).status).toBe(204);
  }
  mails.length = 0;
}

/** Queues a message, like an alert that fires. */
function enqueue(
  projectId: string,
  title = 'Spoofing of an agent: GPTBot',
  { at = now, of = app, alert }: { at?: number; of?: App; alert?: NonNullable<AlertMessage['alert']> } = {},
): Promise<void> {
  const message: AlertMessage = {
    type: 'alert.fired',
    project: { id: projectId, name: 'Shop <1>' },
    title,
    lines: ['GPTBot was spoofed in 25 visits in an hour.'],
    url: `http://127.0.0.1:3000/projects/${projectId}/alerts`,
    ...(alert && { alert }),
  };
  return of.database.dataSource.transaction((transaction) =>
    of.nest.get(DeliveriesRepository).enqueue(transaction, [message], new Date(at)),
  );
}

/** Delivers due messages and waits until none is due or in flight. The service's own runs may deliver some. */
async function deliver(): Promise<void> {
  await app.nest.get(DeliveriesService).deliverDue();
  const due = `SELECT FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id
    WHERE d.next_attempt_at <= $1 AND (c.is_enabled OR d.claimed_until IS NOT NULL)`;
  await until(async () => (await app.database.dataSource.query(due, [new Date(now)])).length === 0, {
    what: 'nothing is due or under way',
  });
}

/** Sets the clock to the real time, which signature verification uses. */
const signedNow = () => {
  now = Date.now();
};

it('signs webhooks according to Standard Webhooks, with both secrets during a rotation', async () => {
  signedNow();
  const { id, path, add } = await newProject();
  const channel = await add('webhook', '/hook');
  expect(channel).toMatchObject({ kind: 'webhook', target: `${base}/…`, is_enabled: true });
  const former = (await app.api('GET', `${path}/${channel.id}/secret`)).body.secret;
  await enqueue(id);
  await deliver();
  expect(received).toHaveLength(1);
  expect(new Webhook(former).verify(received[0]!.body, received[0]!.headers)).toEqual({
    type: 'alert.fired',
    timestamp: expect.any(String),
    data: expect.objectContaining({ title: 'Spoofing of an agent: GPTBot', project: { id, name: 'Shop <1>' } }),
  });
  const { secret } = (await app.api('POST', `${path}/${channel.id}/secret`, {})).body;
  expect(secret).not.toBe(former);
  await enqueue(id);
  await deliver();
  for (const each of [former, secret]) new Webhook(each).verify(received[1]!.body, received[1]!.headers);
  now += 25 * HOUR_MS;
  await enqueue(id);
  await deliver();
  expect(received[2]!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  const stored = await app.database.dataSource.query('SELECT * FROM alert_channels');
  for (const hidden of ['/hook', former, secret]) expect(JSON.stringify(stored)).not.toContain(hidden);
});

it('retries with the same ID on schedule, honors Retry-After and survives a crash', async () => {
  const { id, add, deliveries } = await newProject();
  await add('webhook', '/down');
  answers.set('/down', { status: 503 });
  await enqueue(id);
  await deliver();
  const waited = async () => {
    const [{ next_attempt_at: next, state, attempts, status }] = await deliveries();
    return [state, attempts, status, Math.floor((Date.parse(next) - now) / 1_000)];
  };
  expect(await waited()).toEqual(['waiting', 1, 503, 5]);
  answers.set('/down', { status: 429, headers: { 'retry-after': '600' } });
  now += 6_000;
  // A process that dies during an attempt leaves a claim, which expires.
  const dead = await app.nest.get(DeliveriesRepository).claim(now, 1);
  expect(dead).toHaveLength(1);
  await app.nest.get(DeliveriesService).deliverDue();
  expect(received).toHaveLength(1);
  now += 421_000;
  await deliver();
  expect(await waited()).toEqual(['waiting', 2, 429, 600]);
  answers.delete('/down');
  now += 600_000;
  await deliver();
  expect((await deliveries())[0]).toMatchObject({ state: 'delivered', attempts: 3, next_attempt_at: null });
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('disables a channel after ten attempts, notifies others and replays the failed message', async () => {
  const { id, path, add, deliveries, channels } = await newProject();
  const broken = await add('webhook', '/broken');
  answers.set('/broken', { status: 302, headers: { location: `${base}/elsewhere` } });
  await enqueue(id, 'Lost');
  for (let attempt = 1; attempt <= 10; attempt++) {
    if (attempt === 10) await add('slack', '/slack');
    await deliver();
    now += 27 * HOUR_MS;
  }
  const [off] = await channels();
  expect(off).toMatchObject({ is_enabled: false, disabled_reason: expect.stringContaining('10 attempts failed') });
  await deliver();
  expect(received.filter(({ path: at }) => at === '/broken')).toHaveLength(10);
  expect(received.at(-1)).toMatchObject({ path: '/slack', body: expect.stringContaining('was turned off') });
  const lost = (await deliveries()).find(({ title }) => title === 'Lost');
  expect(lost).toMatchObject({ state: 'failed', attempts: 10, status: 302 });
  const replay = `/projects/${id}/alert-deliveries/${lost.id}/replay`;
  expect((await app.api('POST', replay, {})).status).toBe(409);
  answers.clear();
  await app.api('PATCH', `${path}/${broken.id}`, { is_enabled: true });
  expect((await app.api('POST', replay, {})).body).toMatchObject({ state: 'waiting', attempts: 0 });
  await deliver();
  expect((await deliveries()).find(({ title }) => title === 'Lost')).toMatchObject({ state: 'delivered', attempts: 1 });
});

it.each([
  ['webhook', 410],
  ['slack', 404],
  ['discord', 404],
])('disables a %s channel that responds with %i', async (kind, status) => {
  const { id, add, channels } = await newProject();
  await add(kind, '/gone');
  answers.set('/gone', { status });
  await enqueue(id);
  await enqueue(id);
  await deliver();
  expect(await channels()).toEqual([
    expect.objectContaining({ is_enabled: false, disabled_reason: expect.stringContaining(String(status)) }),
  ]);
  now += HOUR_MS;
  const before = received.length;
  await deliver();
  expect(received).toHaveLength(before);
});

it('sends escaped messages to Slack, Discord and individual mail recipients', async () => {
  const { id, path, add } = await newProject();
  await add('slack', '/slack');
  await add('discord', '/discord');
  await app.api('POST', path, { kind: 'email', name: 'Team', addresses: ['one@example.com', 'two@example.com'] });
  await confirmAll(id);
  await enqueue(id, 'New agent: <!channel> *bold* @everyone');
  await deliver();
  const bodyAt = (at: string): Json => JSON.parse(received.find(({ path: each }) => each === at)!.body);
  expect(bodyAt('/slack').text).toContain('New agent: &lt;!channel&gt;');
  expect(bodyAt('/discord')).toMatchObject({
    content: expect.stringContaining('\\*bold\\* \\@everyone'),
    allowed_mentions: { parse: [] },
  });
  const text = expect.stringContaining('[Shop <1>] New agent');
  expect(mails.toSorted((one, other) => one.to[0]!.localeCompare(other.to[0]!))).toEqual([
    { to: ['one@example.com'], user: 'alerts', text },
    { to: ['two@example.com'], user: 'alerts', text },
  ]);
  expect(mails[0]!.text).not.toContain(mails[1]!.to[0]);
  expect(mails[0]!.text).toContain('&lt;!channel&gt;');
  expect(mails[0]!.text).toContain('Auto-Submitted: auto-generated');
});

it('sends a mail once to accepted recipients and retries only the others', async () => {
  const { id, path, deliveries, channels } = await newProject();
  const addresses = ['here@example.com', 'busy@Example.com', 'gone@example.com'];
  await app.api('POST', path, { kind: 'email', name: 'Team', addresses });
  await confirmAll(id);
  refusals.set('busy@example.com', 450).set('gone@example.com', 550);
  await enqueue(id);
  await deliver();
  expect((await deliveries())[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    error: 'The mail server refused busy@Example.com, gone@example.com.',
  });
  refusals.delete('busy@example.com');
  now += 6_000;
  await deliver();
  expect(mails.map(({ to }) => to)).toEqual([['here@example.com'], ['busy@example.com']]);
  // Permanent refusals aren't retried. The other recipients get the next message.
  expect((await deliveries())[0]).toMatchObject({
    state: 'failed',
    error: 'The mail server refused gone@example.com.',
  });
  expect(await channels()).toEqual([expect.objectContaining({ is_enabled: true, disabled_reason: null })]);
  await enqueue(id);
  await deliver();
  expect(
    mails
      .slice(2)
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual(['busy@example.com', 'here@example.com']);
});

it('sends nothing to an address until its owner confirms, or after they unsubscribe', async () => {
  const name = 'Free prizes at https://evil.example/\u202e';
  const { id } = (await app.api('POST', '/projects', { name: name.replace('\u202e', '') })).body as { id: string };
  const path = `/projects/${id}/alert-channels`;
  const addresses = ['first@example.com', 'second@example.com'];
  const channel = (await app.api('POST', path, { kind: 'email', name: 'Team', addresses })).body;
  expect(channel.pending_addresses).toEqual(addresses);
  await until(() => mails.length === 2, { what: 'both are asked' });
  expect(mails.map(({ to }) => to.length)).toEqual([1, 1]);
  expect(mails[0]!.text).not.toContain('evil.example');
  const asked = mails.find(({ to }) => to[0] === addresses[0])!.text.replaceAll('=\r\n', '');
  const secret = /\/alert-mail\?of=(?:3D)?([\da-f-]{36})/.exec(asked)![1]!;
  mails.length = 0;
  await enqueue(id);
  await deliver();
  const tested = (await app.api('POST', `${path}/${channel.id}/test`, {})).body;
  expect(tested).toMatchObject({ state: 'failed', error: 'No recipient has confirmed that they want alerts.' });
  expect(mails).toEqual([]);
  expect((await app.send('POST', `/api/mail-recipients/${secret}/confirmation`, {}, {})).status).toBe(204);
  await enqueue(id);
  await deliver();
  expect(mails.map(({ to }) => to)).toEqual([['first@example.com']]);
  expect(mails[0]!.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect((await app.api('POST', `${path}/${channel.id}/confirmations`, {})).status).toBe(204);
  expect(mails.at(-1)!.to).toEqual(['second@example.com']);
  expect((await app.send('POST', `/api/mail-recipients/${secret}`, undefined, {})).status).toBe(204);
  mails.length = 0;
  await enqueue(id);
  await deliver();
  expect(mails).toEqual([]);
  expect((await app.api('GET', path)).body.channels[0]).toMatchObject({
    is_enabled: true,
    pending_addresses: addresses,
  });
});

it('limits confirmation mails to an address, even across projects', async () => {
  const { path } = await newProject();
  const addresses = ['flooded@example.com'];
  const { id: channelId } = (await app.api('POST', path, { kind: 'email', name: 'Team', addresses })).body;
  const statuses: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    statuses.push((await app.api('POST', `${path}/${channelId}/confirmations`, {})).status);
  }
  expect(statuses.at(-1)).toBe(429);
  // Another project doesn't allow more mails to the same address.
  const other = await newProject();
  await app.api('POST', other.path, { kind: 'email', name: 'Team', addresses });
  expect(mails.filter(({ to }) => to[0] === 'flooded@example.com').length).toBeLessThanOrEqual(4);
});

it('announces firing and recovery once, and nothing while the alert is muted', async () => {
  const QUARTER_MS = HOUR_MS / 4;
  const { id, add } = await newProject();
  await add('webhook', '/alerts');
  const { alerts } = (await app.api('GET', `/projects/${id}/alerts`)).body;
  expect(alerts.map(({ kind }: Json) => kind)).toEqual(['new_agent', 'spoofing', 'errors', 'no_visits']);
  const spoofing = alerts[1].id;
  const evaluated = async (at: number): Promise<string[]> => {
    received.length = 0;
    now = at + 120_000;
    await Promise.all([1, 2].map(() => app.nest.get(AlertEvaluationService).evaluateDue()));
    await until(
      async () => (await app.api('GET', `/projects/${id}/alerts`)).body.evaluated_until === new Date(at).toISOString(),
      {
        what: 'it is evaluated',
      },
    );
    await deliver();
    return received.map(({ body }) => `${JSON.parse(body).type}: ${JSON.parse(body).data.title}`);
  };
  const spoof = (before: number) =>
    storeVisits(
      app.database.dataSource,
      id,
      before,
      Array.from({ length: 25 }, () => ({
        at: new Date(before - 300_000).toISOString(),
        agent: 'GPTBot',
        result: 'verification_failed' as const,
      })),
    );
  const start = (Math.floor(now / QUARTER_MS) + 1) * QUARTER_MS;
  await spoof(start);
  expect(await evaluated(start)).toEqual(['alert.fired: Spoofing of an agent: GPTBot']);
  expect(JSON.parse(received[0]!.body).data).toMatchObject({
    lines: ['GPTBot was spoofed in 25 visits in an hour.'],
    alert: { id: spoofing, kind: 'spoofing' },
    events: [{ subject_name: 'GPTBot', value: 25, fired_at: new Date(start).toISOString(), recovered_at: null }],
  });
  const recovery = start + 2 * HOUR_MS - QUARTER_MS;
  await app.api('PATCH', `/projects/${id}/alerts/${spoofing}`, { muted_until: new Date(recovery + 1).toISOString() });
  expect(await evaluated(recovery)).toEqual(['alert.recovered: Recovered: Spoofing of an agent: GPTBot']);
  const later = start + 30 * HOUR_MS;
  await spoof(later);
  await app.api('PATCH', `/projects/${id}/alerts/${spoofing}`, {
    muted_until: new Date(later + HOUR_MS).toISOString(),
  });
  expect(await evaluated(later)).toEqual([]);
  // It's no longer muted, but its firing was never announced, so its recovery isn't either.
  expect(await evaluated(later + 2 * HOUR_MS - QUARTER_MS)).toEqual([]);
  const { events } = (await app.api('GET', `/projects/${id}/alert-events`)).body;
  expect(events.map(({ fired_at: at }: Json) => Date.parse(at))).toEqual([later, start]);
});

it('sends an alert to its selected channels, and to all once those are deleted', async () => {
  signedNow();
  const { id, path, add } = await newProject();
  const [chosen, other] = [await add('webhook', '/chosen'), await add('webhook', '/other')];
  const alerts = `/projects/${id}/alerts`;
  const created = await app.api('POST', alerts, { kind: 'drop', channel_ids: [chosen.id] });
  expect([created.status, created.body.channel_ids]).toEqual([201, [chosen.id]]);
  const foreign = await (await newProject()).add('webhook', '/foreign');
  for (const ids of [[foreign.id], [chosen.id, foreign.id]]) {
    const answer = await app.api('PATCH', `${alerts}/${created.body.id}`, { channel_ids: ids });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ pointer: '/channel_ids', detail: 'must be IDs of channels of the project' }],
    ]);
  }
  const told = async (): Promise<string[]> => {
    received.length = 0;
    const alert = { id: created.body.id as string, kind: 'drop', label: 'Drop of visits' };
    await enqueue(id, 'Drop of visits', { alert });
    await deliver();
    return received.map(({ path: at }) => at).toSorted();
  };
  expect(await told()).toEqual(['/chosen']);
  await app.api('PATCH', `${alerts}/${created.body.id}`, { channel_ids: [chosen.id, other.id] });
  expect(await told()).toEqual(['/chosen', '/other']);
  await app.api('PATCH', `${path}/${other.id}`, { is_enabled: false });
  expect(await told()).toEqual(['/chosen']);
  await app.api('PATCH', `${path}/${other.id}`, { is_enabled: true });
  await app.api('DELETE', `${path}/${chosen.id}`);
  const channelsOf = async (): Promise<Json> =>
    (await app.api('GET', alerts)).body.alerts.find((alert: Json) => alert.id === created.body.id).channel_ids;
  expect(await channelsOf()).toEqual([other.id]);
  await app.api('DELETE', `${path}/${other.id}`);
  expect(await channelsOf()).toBeNull();
  await add('webhook', '/new');
  expect(await told()).toEqual(['/new']);
});

it('holds messages for a disabled channel without delaying others', async () => {
  const { id, path, add } = await newProject();
  const paused = await add('webhook', '/paused');
  for (let number = 1; number <= 12; number++) await enqueue(id, 'Paused', { at: now + 500 });
  await app.database.dataSource.query(`UPDATE alert_channels SET is_enabled = false WHERE id = $1`, [paused.id]);
  now += 1_000;
  await add('webhook', '/other');
  await enqueue(id);
  await deliver();
  expect(received.map(({ path: at }) => at)).toEqual(['/other']);
  await app.api('PATCH', `${path}/${paused.id}`, { is_enabled: true });
  await deliver();
  expect(received.filter(({ path: at }) => at === '/paused')).toHaveLength(12);
});

it('delivers to other receivers while some do not respond', async () => {
  const slow = await newProject();
  for (let number = 1; number <= 10; number++) await slow.add('webhook', '/slow');
  const others = await Promise.all(Array.from({ length: 7 }, () => newProject()));
  for (const { add } of others) await Promise.all([1, 2, 3].map(() => add('webhook', '/slow')));
  const slowProjects = [slow, ...others].map(({ id }) => id);
  const query = (sql: string): Promise<Json[]> => app.database.dataSource.query(sql, [slowProjects]);
  const reached = (): number => received.filter(({ path: at }) => at === '/slow').length;
  /**
   * Delivers to another receiver while these wait.
   * @param most maximum number of attempts at the waiting receivers
   */
  const tell = async (most: number): Promise<void> => {
    received.length = 0;
    const answered = Promise.withResolvers<void>();
    waiting.set('/slow', answered.promise);
    for (const id of slowProjects) await enqueue(id);
    now += 1_000;
    const other = await newProject();
    await other.add('webhook', '/other');
    const delivered = deliver();
    try {
      await until(() => reached() >= 10, { what: 'some of them wait' });
      await enqueue(other.id);
      await until(async () => (await other.deliveries())[0].state === 'delivered', { what: 'the other is told' });
      expect(reached()).toBeLessThanOrEqual(most);
      const ended = `SELECT FROM alert_deliveries WHERE project_id = ANY ($1) AND attempts = 1 AND delivered_at IS NULL`;
      expect(await query(ended)).toEqual([]);
    } finally {
      answered.resolve();
      waiting.clear();
    }
    await delivered;
    expect(reached()).toBe(31);
  };
  // Up to three per project. The service's own runs may claim some at the same time.
  await tell(30);
  // Receivers known not to respond share ten attempts.
  await query(`UPDATE alert_channels SET is_unanswered = true WHERE project_id = ANY ($1)`);
  await tell(20);
  expect(await query(`SELECT FROM alert_channels WHERE project_id = ANY ($1) AND is_unanswered`)).toEqual([]);
});

it('delivers first to the receivers of a project that respond', async () => {
  const { id, add } = await newProject();
  const answered = Promise.withResolvers<void>();
  waiting.set('/slow', answered.promise);
  for (let number = 1; number <= 3; number++) await add('webhook', '/slow');
  await app.database.dataSource.query(`UPDATE alert_channels SET is_unanswered = true WHERE project_id = $1`, [id]);
  await enqueue(id);
  await add('webhook', '/other');
  await enqueue(id, 'Later', { at: now + 500 });
  now += 1_000;
  received.length = 0;
  const delivered = deliver();
  try {
    await until(() => received.some(({ path: at }) => at === '/other'), { what: 'the one that answers is told' });
  } finally {
    answered.resolve();
    waiting.clear();
  }
  await delivered;
  expect(received.map(({ path: at }) => at).toSorted()).toEqual(['/other', ...Array<string>(6).fill('/slow')]);
});

it('remembers which receivers do not respond until they do', async () => {
  const { id, add } = await newProject();
  const { id: channelId } = await add('webhook', '/broken');
  const isUnanswered = async (): Promise<boolean> =>
    (await app.database.dataSource.query(`SELECT is_unanswered FROM alert_channels WHERE id = $1`, [channelId]))[0]
      .is_unanswered;
  cut.add('/broken');
  await enqueue(id);
  await deliver();
  expect(await isUnanswered()).toBe(true);
  cut.clear();
  answers.set('/broken', { status: 500 });
  now += 10_000;
  await deliver();
  expect(await isUnanswered()).toBe(false);
});

it('reports the result of a test and does not retry it', async () => {
  const { path, add, deliveries } = await newProject();
  const { id: channelId } = await add('webhook', '/test');
  answers.set('/test', { status: 500 });
  const test = (await app.api('POST', `${path}/${channelId}/test`, {})).body;
  expect(test).toMatchObject({
    state: 'failed',
    status: 500,
    error: 'The receiver answered with status 500.',
    attempts: 1,
  });
  now += 100 * HOUR_MS;
  await deliver();
  expect(await deliveries()).toEqual([test]);
});

it('limits tests and replays per project', async () => {
  const { id, path, add, deliveries } = await newProject();
  const { id: channelId } = await add('webhook', '/flood');
  const tests = await Promise.all(Array.from({ length: 30 }, () => app.api('POST', `${path}/${channelId}/test`, {})));
  const refused = tests.filter(({ status }) => status === 429);
  // One more may pass once part of a token has refilled.
  expect([20, 21]).toContain(tests.length - refused.length);
  expect(refused[0]!.body.detail).toMatch(/^Too many tests and repetitions\. Try again in \d+ s\.$/);
  expect(received).toHaveLength(tests.length - refused.length);
  const [{ id: deliveryId }] = await deliveries();
  const replays = [1, 2].map(() => app.api('POST', `/projects/${id}/alert-deliveries/${deliveryId}/replay`, {}));
  expect((await Promise.all(replays)).map(({ status }) => status)).toContain(429);
  const other = await newProject();
  const { id: otherId } = await other.add('webhook', '/other');
  expect((await app.api('POST', `${other.path}/${otherId}/test`, {})).status).toBe(200);
});

it('ignores the result of a process whose claim expired', async () => {
  const { id, add, deliveries, channels } = await newProject();
  await add('webhook', '/claimed');
  const repository = app.nest.get(DeliveriesRepository);
  await enqueue(id, 'Claimed', { at: now + 1_000 });
  const [claimed] = await repository.claim(now + 1_000, 1);
  now += 422_000;
  await deliver();
  const expected = expect.objectContaining({ state: 'delivered', attempts: 1, status: 204, error: null });
  expect(await deliveries()).toEqual([expected]);
  await repository.settle(
    claimed!,
    { status: 500, error: 'It failed.', isAnswered: true, left: null },
    { at: new Date(now), after: { disables: 'It failed.' }, notice: () => claimed!.message },
  );
  expect(await deliveries()).toEqual([expected]);
  expect(await channels()).toEqual([expect.objectContaining({ is_enabled: true })]);
});

it('records the result of a mail that was in flight at shutdown', async () => {
  const ending = await start();
  const { id, path, deliveries } = await newProject(ending);
  const addresses = ['here@example.com', 'busy@example.com'];
  await ending.api('POST', path, { kind: 'email', name: 'Team', addresses });
  await confirmAll(id, ending);
  refusals.set('busy@example.com', 450);
  const taken = Promise.withResolvers<void>();
  mailing = taken.promise;
  await enqueue(id, 'Begun', { of: ending });
  const service = ending.nest.get(DeliveriesService);
  const delivered = service.deliverDue();
  await until(() => held === 1, { what: 'the mail is sent' });
  const ended = service.beforeApplicationShutdown();
  taken.resolve();
  mailing = Promise.resolve();
  await Promise.all([delivered, ended]);
  expect(mails).toHaveLength(1);
  expect(await deliveries()).toEqual([
    expect.objectContaining({ state: 'waiting', attempts: 1, error: 'The mail server refused busy@example.com.' }),
  ]);
  await ending.dispose();
});

it('stops starting mails at shutdown and records no attempt for the rest', async () => {
  const ending = await start();
  const projects = await Promise.all([1, 2, 3].map(() => newProject(ending)));
  for (const { id, path } of projects) {
    for (const name of ['One', 'Two', 'Three']) {
      await ending.api('POST', path, { kind: 'email', name, addresses: [`${name.toLowerCase()}@example.com`] });
    }
    await confirmAll(id, ending);
  }
  const taken = Promise.withResolvers<void>();
  mailing = taken.promise;
  // Queued only now, because the service's own runs would send them before mails are held.
  for (const { id } of projects) await enqueue(id, 'Queued', { of: ending });
  const service = ending.nest.get(DeliveriesService);
  const delivered = service.deliverDue();
  // One of the five connections is reserved for mails that someone is waiting for.
  await until(() => held === 4, { what: 'as many as may be sent at a time are' });
  const ended = service.beforeApplicationShutdown();
  taken.resolve();
  mailing = Promise.resolve();
  await Promise.all([delivered, ended]);
  expect(mails).toHaveLength(4);
  const deliveries = (await Promise.all(projects.map((project) => project.deliveries()))).flat();
  const left = deliveries.filter(({ state }) => state === 'waiting');
  expect([deliveries.length, left.length]).toEqual([9, 5]);
  expect(left.every(({ attempts, error }) => attempts === 0 && error === null)).toBe(true);
  const claimed = `SELECT FROM alert_deliveries WHERE claimed_until IS NOT NULL`;
  expect(await ending.database.dataSource.query(claimed)).toEqual([]);
  await ending.dispose();
});

/** Delays responses to a path until the returned function is called. */
function hold(path: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(path, promise);
  return () => {
    waiting.delete(path);
    resolve();
  };
}

it('does not retry an in-flight message after its channel is disabled', async () => {
  const { id, add, deliveries } = await newProject();
  await add('webhook', '/ending');
  const open = hold('/ending');
  await enqueue(id, 'First');
  const delivered = deliver();
  await until(() => received.length === 1, { what: 'the first one is under way' });
  waiting.delete('/ending');
  answers.set('/ending', { status: 410 });
  await enqueue(id, 'Second');
  await until(async () => (await deliveries()).some(({ status }) => status === 410), { what: 'the channel is off' });
  answers.set('/ending', { status: 500 });
  open();
  await delivered;
  const first = (await deliveries()).find(({ title }) => title === 'First');
  expect(first).toMatchObject({ state: 'failed', status: 500, next_attempt_at: null });
});

it('deletes messages for a disabled channel after a month', async () => {
  const { id, path, add, deliveries } = await newProject();
  const [off] = [await add('webhook', '/off'), await add('webhook', '/on')];
  await enqueue(id, 'Old', { at: now + HOUR_MS });
  await app.api('PATCH', `${path}/${off.id}`, { is_enabled: false });
  await app.nest.get(DeliveriesRepository).deleteOld(now + 32 * 24 * HOUR_MS);
  expect(await deliveries()).toEqual([expect.objectContaining({ state: 'waiting' })]);
});

it('releases interrupted deliveries immediately at shutdown', async () => {
  const ending = await start();
  const { id, add, deliveries } = await newProject(ending);
  await add('webhook', '/cut');
  const open = hold('/cut');
  await enqueue(id, 'Cut off', { of: ending });
  const service = ending.nest.get(DeliveriesService);
  const delivered = service.deliverDue();
  await until(() => received.length === 1, { what: 'it is under way' });
  await Promise.all([service.beforeApplicationShutdown(), delivered]);
  expect(await deliveries()).toEqual([expect.objectContaining({ state: 'waiting', attempts: 0 })]);
  expect(await ending.database.dataSource.query('SELECT claimed_until FROM alert_deliveries')).toEqual([
    { claimed_until: null },
  ]);
  open();
  await ending.dispose();
});

it('counts each address of a test mail toward the limit', async () => {
  const { path } = await newProject();
  const addresses = Array.from({ length: 10 }, (_, index) => `person-${index}@example.com`);
  const { id } = (await app.api('POST', path, { kind: 'email', name: 'Team', addresses })).body;
  const statuses: number[] = [];
  for (let test = 1; test <= 4; test += 1) statuses.push((await app.api('POST', `${path}/${id}/test`, {})).status);
  // One more may pass once part of a token has refilled.
  expect([2, 3]).toContain(statuses.filter((status) => status === 200).length);
  expect(statuses.at(-1)).toBe(429);
});

it('returns no result for a test of a deleted channel', async () => {
  const { id } = await newProject();
  const test = app.nest.get(DeliveriesService).test(crypto.randomUUID(), { id, name: 'Shop' });
  expect(await test).toBeUndefined();
});

it('rejects a replay while the delivery is in flight', async () => {
  const { id, path, add, deliveries } = await newProject();
  const { id: channelId } = await add('webhook', '/twice');
  const open = hold('/twice');
  const tested = app.api('POST', `${path}/${channelId}/test`, {});
  await until(() => received.length === 1, { what: 'it is under way' });
  const [{ id: deliveryId }] = await deliveries();
  const replay = () => app.api('POST', `/projects/${id}/alert-deliveries/${deliveryId}/replay`, {});
  expect((await replay()).status).toBe(409);
  open();
  expect((await tested).body.state).toBe('delivered');
  expect((await replay()).body.state).toBe('waiting');
  await deliver();
  expect(received).toHaveLength(2);
});

it('does not reveal the mail server when it is unreachable', async () => {
  const away = await App.start({
    mail: { host: '127.0.0.1', port: 9, security: 'none', user: null, password: null, from: 'alerts@example.com' },
  });
  const { path } = await newProject(away);
  const { id } = (await away.api('POST', path, { kind: 'email', name: 'Team', addresses: ['one@example.com'] })).body;
  await away.database.dataSource.query(`UPDATE mail_recipients SET confirmed_at = now()`);
  const { error } = (await away.api('POST', `${path}/${id}/test`, {})).body;
  expect(error).toMatch(/^The mail server cannot be reached \(E[A-Z]+\)\.$/);
  await away.dispose();
});
