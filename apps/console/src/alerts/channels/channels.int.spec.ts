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

/** The webhook receiver's response by path. Default: 204. */
const responses = new Map<string, { status: number; headers?: Record<string, string> }>();
/** The receiver responds on these paths once the promise resolves. */
const pendingResponses = new Map<string, Promise<void>>();
/** The receiver closes connections for these paths without a response. */
const droppedPaths = new Set<string>();
const received: Received[] = [];
const mails: { to: string[]; text: string; user: string | undefined }[] = [];
/** The mail server accepts emails once this promise settles. */
let mailGate = Promise.resolve();
/** Number of emails that the mail server has received but not accepted yet. */
let waitingMailCount = 0;
/** SMTP response code by recipient. Default: 250. */
const smtpRejections = new Map<string, number>();

let receiver: Server;
let smtp: SMTPServer;
let app: App;
let now = Date.now();
let base: string;

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    await receive(request);
    if (droppedPaths.has(request.url!)) return void request.socket.destroy();
    await pendingResponses.get(request.url!);
    const { status, headers = {} } = responses.get(request.url!) ?? { status: 204 };
    response.writeHead(status, headers).end();
  }).listen(0, '127.0.0.1');
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) =>
      callback(password === 'right' ? null : new Error('no'), { user: username }),
    onRcptTo: ({ address }, _, callback) => {
      const responseCode = smtpRejections.get(address);
      callback(responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode }));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', async () => {
          waitingMailCount += 1;
          await mailGate;
          waitingMailCount -= 1;
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
  responses.clear();
  smtpRejections.clear();
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

/** Confirms all recipients, as if they had followed the links in their confirmation emails. */
async function confirmAll(projectId: string, of = app): Promise<void> {
  const rows: { id: string }[] = await of.database.dataSource.query(
    `SELECT id FROM mail_recipients WHERE project_id = $1 AND confirmed_at IS NULL`,
    [projectId],
  );
  await until(() => mails.length >= rows.length, { condition: 'all confirmation emails arrive' });
  for (const { id } of rows) {
    expect((await of.send('POST', `/api/mail-recipients/${id}/confirmation`, {}, {})).status).toBe(204);
  }
  mails.length = 0;
}

/** Queues a message, as if an alert had fired. */
function enqueue(
  projectId: string,
  title = 'Visits claiming to be GPTBot fail verification',
  { at = now, of = app, alert }: { at?: number; of?: App; alert?: NonNullable<AlertMessage['alert']> } = {},
): Promise<void> {
  const message: AlertMessage = {
    type: 'alert.fired',
    project: { id: projectId, name: 'Shop <1>' },
    title,
    lines: ['25 visits in an hour claimed to be GPTBot, but failed verification.'],
    url: `http://127.0.0.1:3000/projects/${projectId}/alerts`,
    ...(alert && { alert }),
  };
  return of.database.dataSource.transaction((transaction) =>
    of.nest.get(DeliveriesRepository).enqueue(transaction, [message], new Date(at)),
  );
}

/**
 * Delivers due messages, then waits until none are due or in flight. The background service may deliver some of them.
 */
async function deliver(): Promise<void> {
  await app.nest.get(DeliveriesService).deliverDue();
  const dueQuery = `SELECT FROM alert_deliveries d JOIN alert_channels c ON c.id = d.channel_id
    WHERE d.next_attempt_at <= $1 AND (c.is_enabled OR d.claimed_until IS NOT NULL)`;
  await until(async () => (await app.database.dataSource.query(dueQuery, [new Date(now)])).length === 0, {
    condition: 'no delivery is due or in flight',
  });
}

/** Sets the test clock to the real time, which signature verification uses. */
const useRealTime = () => {
  now = Date.now();
};

it('signs webhooks per Standard Webhooks, with both secrets during a rotation', async () => {
  useRealTime();
  const { id, path, add } = await newProject();
  const channel = await add('webhook', '/hook');
  expect(channel).toMatchObject({ kind: 'webhook', target: `${base}/…`, is_enabled: true });
  const previousSecret = (await app.api('GET', `${path}/${channel.id}/secret`)).body.secret;
  await enqueue(id);
  await deliver();
  expect(received).toHaveLength(1);
  expect(new Webhook(previousSecret).verify(received[0]!.body, received[0]!.headers)).toEqual({
    type: 'alert.fired',
    timestamp: expect.any(String),
    data: expect.objectContaining({
      title: 'Visits claiming to be GPTBot fail verification',
      project: { id, name: 'Shop <1>' },
    }),
  });
  const { secret } = (await app.api('POST', `${path}/${channel.id}/secret`, {})).body;
  expect(secret).not.toBe(previousSecret);
  await enqueue(id);
  await deliver();
  for (const each of [previousSecret, secret]) new Webhook(each).verify(received[1]!.body, received[1]!.headers);
  now += 25 * HOUR_MS;
  await enqueue(id);
  await deliver();
  expect(received[2]!.headers['webhook-signature']!.split(' ')).toHaveLength(1);
  const stored = await app.database.dataSource.query('SELECT * FROM alert_channels');
  for (const hidden of ['/hook', previousSecret, secret]) expect(JSON.stringify(stored)).not.toContain(hidden);
});

it('retries deliveries on schedule with the same ID, honors Retry-After and recovers from a crash', async () => {
  const { id, add, deliveries } = await newProject();
  await add('webhook', '/down');
  responses.set('/down', { status: 503 });
  await enqueue(id);
  await deliver();
  const getRetryState = async () => {
    const [{ next_attempt_at: next, state, attempts, status }] = await deliveries();
    return [state, attempts, status, Math.floor((Date.parse(next) - now) / 1_000)];
  };
  expect(await getRetryState()).toEqual(['waiting', 1, 503, 5]);
  responses.set('/down', { status: 429, headers: { 'retry-after': '600' } });
  now += 6_000;
  // A process that crashes during an attempt leaves a claim behind, which expires.
  const crashedClaims = await app.nest.get(DeliveriesRepository).claim(now, 1);
  expect(crashedClaims).toHaveLength(1);
  await app.nest.get(DeliveriesService).deliverDue();
  expect(received).toHaveLength(1);
  now += 421_000;
  await deliver();
  expect(await getRetryState()).toEqual(['waiting', 2, 429, 600]);
  responses.delete('/down');
  now += 600_000;
  await deliver();
  expect((await deliveries())[0]).toMatchObject({ state: 'delivered', attempts: 3, next_attempt_at: null });
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

it('disables a channel after ten failed attempts, notifies the other channels and replays the message', async () => {
  const { id, path, add, deliveries, channels } = await newProject();
  const broken = await add('webhook', '/broken');
  responses.set('/broken', { status: 302, headers: { location: `${base}/elsewhere` } });
  await enqueue(id, 'Lost');
  for (let attempt = 1; attempt <= 10; attempt++) {
    if (attempt === 10) await add('slack', '/slack');
    await deliver();
    now += 27 * HOUR_MS;
  }
  const [disabledChannel] = await channels();
  expect(disabledChannel).toMatchObject({
    is_enabled: false,
    disabled_reason: expect.stringContaining('10 attempts failed'),
  });
  await deliver();
  expect(received.filter(({ path: at }) => at === '/broken')).toHaveLength(10);
  expect(received.at(-1)).toMatchObject({ path: '/slack', body: expect.stringContaining('was turned off') });
  const lostDelivery = (await deliveries()).find(({ title }) => title === 'Lost');
  expect(lostDelivery).toMatchObject({ state: 'failed', attempts: 10, status: 302 });
  const replay = `/projects/${id}/alert-deliveries/${lostDelivery.id}/replay`;
  expect((await app.api('POST', replay, {})).status).toBe(409);
  responses.clear();
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
  responses.set('/gone', { status });
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

it('escapes messages to Slack, Discord and email, and emails each recipient separately', async () => {
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

it('emails accepted recipients once and retries only the rejected ones', async () => {
  const { id, path, deliveries, channels } = await newProject();
  const addresses = ['here@example.com', 'busy@Example.com', 'gone@example.com'];
  await app.api('POST', path, { kind: 'email', name: 'Team', addresses });
  await confirmAll(id);
  smtpRejections.set('busy@example.com', 450).set('gone@example.com', 550);
  await enqueue(id);
  await deliver();
  expect((await deliveries())[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    error: 'The mail server rejected busy@Example.com, gone@example.com.',
  });
  smtpRejections.delete('busy@example.com');
  now += 6_000;
  await deliver();
  expect(mails.map(({ to }) => to)).toEqual([['here@example.com'], ['busy@example.com']]);
  // Permanent rejections aren't retried. The other recipients still get the next message.
  expect((await deliveries())[0]).toMatchObject({
    state: 'failed',
    error: 'The mail server rejected gone@example.com.',
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

it('sends no alerts to an address before its owner confirms or after they unsubscribe', async () => {
  const name = 'Free prizes at https://evil.example/\u202e';
  const { id } = (await app.api('POST', '/projects', { name: name.replace('\u202e', '') })).body as { id: string };
  const path = `/projects/${id}/alert-channels`;
  const addresses = ['first@example.com', 'second@example.com'];
  const channel = (await app.api('POST', path, { kind: 'email', name: 'Team', addresses })).body;
  expect(channel.pending_addresses).toEqual(addresses);
  await until(() => mails.length === 2, { condition: 'both confirmation emails arrive' });
  expect(mails.map(({ to }) => to.length)).toEqual([1, 1]);
  expect(mails[0]!.text).not.toContain('evil.example');
  const confirmationMail = mails.find(({ to }) => to[0] === addresses[0])!.text.replaceAll('=\r\n', '');
  const secret = /\/alert-mail\?of=(?:3D)?([\da-f-]{36})/.exec(confirmationMail)![1]!;
  mails.length = 0;
  await enqueue(id);
  await deliver();
  const tested = (await app.api('POST', `${path}/${channel.id}/test`, {})).body;
  expect(tested).toMatchObject({
    state: 'failed',
    error: 'No recipient has confirmed that they want to receive alerts.',
  });
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

it('limits confirmation emails per address across projects', async () => {
  const { path } = await newProject();
  const addresses = ['flooded@example.com'];
  const { id: channelId } = (await app.api('POST', path, { kind: 'email', name: 'Team', addresses })).body;
  const statuses: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    statuses.push((await app.api('POST', `${path}/${channelId}/confirmations`, {})).status);
  }
  expect(statuses.at(-1)).toBe(429);
  // The limit for an address also applies across projects.
  const other = await newProject();
  await app.api('POST', other.path, { kind: 'email', name: 'Team', addresses });
  expect(mails.filter(({ to }) => to[0] === 'flooded@example.com').length).toBeLessThanOrEqual(4);
});

it('announces once when an alert fires and once when it recovers, and nothing while it is muted', async () => {
  const QUARTER_MS = HOUR_MS / 4;
  const { id, add } = await newProject();
  await add('webhook', '/alerts');
  const { alerts } = (await app.api('GET', `/projects/${id}/alerts`)).body;
  expect(alerts.map(({ kind }: Json) => kind)).toEqual([
    'new_agent',
    'spoofing',
    'errors',
    'server_errors',
    'no_visits',
  ]);
  const spoofing = alerts[1].id;
  const evaluateAt = async (at: number): Promise<string[]> => {
    received.length = 0;
    now = at + 120_000;
    await Promise.all([1, 2].map(() => app.nest.get(AlertEvaluationService).evaluateDue()));
    await until(
      async () => (await app.api('GET', `/projects/${id}/alerts`)).body.evaluated_until === new Date(at).toISOString(),
      {
        condition: 'the quarter hour is evaluated',
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
  expect(await evaluateAt(start)).toEqual(['alert.fired: Visits claiming to be GPTBot fail verification']);
  expect(JSON.parse(received[0]!.body).data).toMatchObject({
    lines: ['25 visits in an hour claimed to be GPTBot, but failed verification.'],
    alert: { id: spoofing, kind: 'spoofing' },
    events: [{ subject_name: 'GPTBot', value: 25, fired_at: new Date(start).toISOString(), recovered_at: null }],
  });
  const recovery = start + 2 * HOUR_MS - QUARTER_MS;
  await app.api('PATCH', `/projects/${id}/alerts/${spoofing}`, { muted_until: new Date(recovery + 1).toISOString() });
  expect(await evaluateAt(recovery)).toEqual([
    'alert.recovered: Recovered: Visits claiming to be GPTBot fail verification',
  ]);
  const later = start + 30 * HOUR_MS;
  await spoof(later);
  await app.api('PATCH', `/projects/${id}/alerts/${spoofing}`, {
    muted_until: new Date(later + HOUR_MS).toISOString(),
  });
  expect(await evaluateAt(later)).toEqual([]);
  // The alert is no longer muted. Nobody was told that it fired, so its recovery isn't announced either.
  expect(await evaluateAt(later + 2 * HOUR_MS - QUARTER_MS)).toEqual([]);
  const { events } = (await app.api('GET', `/projects/${id}/alert-events`)).body;
  expect(events.map(({ fired_at: at }: Json) => Date.parse(at))).toEqual([later, start]);
});

it('sends an alert to its selected channels, or to all channels once those are deleted', async () => {
  useRealTime();
  const { id, path, add } = await newProject();
  const [chosen, other] = [await add('webhook', '/chosen'), await add('webhook', '/other')];
  const alerts = `/projects/${id}/alerts`;
  const created = await app.api('POST', alerts, { kind: 'drop', channel_ids: [chosen.id] });
  expect([created.status, created.body.channel_ids]).toEqual([201, [chosen.id]]);
  const foreignChannel = await (await newProject()).add('webhook', '/foreign');
  for (const ids of [[foreignChannel.id], [chosen.id, foreignChannel.id]]) {
    const answer = await app.api('PATCH', `${alerts}/${created.body.id}`, { channel_ids: ids });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [{ pointer: '/channel_ids', detail: 'must contain only IDs of channels in this project' }],
    ]);
  }
  const sendAndListPaths = async (): Promise<string[]> => {
    received.length = 0;
    const alert = { id: created.body.id as string, kind: 'drop', label: 'Drop in visits' };
    await enqueue(id, 'Drop in visits', { alert });
    await deliver();
    return received.map(({ path: at }) => at).toSorted();
  };
  expect(await sendAndListPaths()).toEqual(['/chosen']);
  await app.api('PATCH', `${alerts}/${created.body.id}`, { channel_ids: [chosen.id, other.id] });
  expect(await sendAndListPaths()).toEqual(['/chosen', '/other']);
  await app.api('PATCH', `${path}/${other.id}`, { is_enabled: false });
  expect(await sendAndListPaths()).toEqual(['/chosen']);
  await app.api('PATCH', `${path}/${other.id}`, { is_enabled: true });
  await app.api('DELETE', `${path}/${chosen.id}`);
  const channelsOf = async (): Promise<Json> =>
    (await app.api('GET', alerts)).body.alerts.find((alert: Json) => alert.id === created.body.id).channel_ids;
  expect(await channelsOf()).toEqual([other.id]);
  await app.api('DELETE', `${path}/${other.id}`);
  expect(await channelsOf()).toBeNull();
  await add('webhook', '/new');
  expect(await sendAndListPaths()).toEqual(['/new']);
});

it('queues messages for a disabled channel without delaying other channels', async () => {
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

it('continues delivering to responsive receivers while others hang', async () => {
  const slow = await newProject();
  for (let number = 1; number <= 10; number++) await slow.add('webhook', '/slow');
  const others = await Promise.all(Array.from({ length: 7 }, () => newProject()));
  for (const { add } of others) await Promise.all([1, 2, 3].map(() => add('webhook', '/slow')));
  const slowProjects = [slow, ...others].map(({ id }) => id);
  const query = (sql: string): Promise<Json[]> => app.database.dataSource.query(sql, [slowProjects]);
  const countSlowRequests = (): number => received.filter(({ path: at }) => at === '/slow').length;
  /**
   * Checks that another receiver gets its message while the slow ones hang.
   *
   * @param maxAttempts Maximum number of concurrent attempts at the slow receivers.
   */
  const deliverWhileSlow = async (maxAttempts: number): Promise<void> => {
    received.length = 0;
    const slowResponse = Promise.withResolvers<void>();
    pendingResponses.set('/slow', slowResponse.promise);
    for (const id of slowProjects) await enqueue(id);
    now += 1_000;
    const other = await newProject();
    await other.add('webhook', '/other');
    const delivered = deliver();
    try {
      await until(() => countSlowRequests() >= 10, { condition: 'ten slow receivers have a request' });
      await enqueue(other.id);
      await until(async () => (await other.deliveries())[0].state === 'delivered', {
        condition: 'the other receiver gets its message',
      });
      expect(countSlowRequests()).toBeLessThanOrEqual(maxAttempts);
      const ended = `SELECT FROM alert_deliveries WHERE project_id = ANY ($1) AND attempts = 1 AND delivered_at IS NULL`;
      expect(await query(ended)).toEqual([]);
    } finally {
      slowResponse.resolve();
      pendingResponses.clear();
    }
    await delivered;
    expect(countSlowRequests()).toBe(31);
  };
  // Each project gets up to three attempts. The background service may claim some at the same time.
  await deliverWhileSlow(30);
  // Receivers that didn't respond last time share a limit of ten attempts.
  await query(`UPDATE alert_channels SET is_unanswered = true WHERE project_id = ANY ($1)`);
  await deliverWhileSlow(20);
  expect(await query(`SELECT FROM alert_channels WHERE project_id = ANY ($1) AND is_unanswered`)).toEqual([]);
});

it("prioritizes a project's responsive receivers", async () => {
  const { id, add } = await newProject();
  const slowResponse = Promise.withResolvers<void>();
  pendingResponses.set('/slow', slowResponse.promise);
  for (let number = 1; number <= 3; number++) await add('webhook', '/slow');
  await app.database.dataSource.query(`UPDATE alert_channels SET is_unanswered = true WHERE project_id = $1`, [id]);
  await enqueue(id);
  await add('webhook', '/other');
  await enqueue(id, 'Later', { at: now + 500 });
  now += 1_000;
  received.length = 0;
  const delivered = deliver();
  try {
    await until(() => received.some(({ path: at }) => at === '/other'), {
      condition: 'the responsive receiver gets its message',
    });
  } finally {
    slowResponse.resolve();
    pendingResponses.clear();
  }
  await delivered;
  expect(received.map(({ path: at }) => at).toSorted()).toEqual(['/other', ...Array<string>(6).fill('/slow')]);
});

it('marks a receiver as unresponsive until it responds', async () => {
  const { id, add } = await newProject();
  const { id: channelId } = await add('webhook', '/broken');
  const isUnanswered = async (): Promise<boolean> =>
    (await app.database.dataSource.query(`SELECT is_unanswered FROM alert_channels WHERE id = $1`, [channelId]))[0]
      .is_unanswered;
  droppedPaths.add('/broken');
  await enqueue(id);
  await deliver();
  expect(await isUnanswered()).toBe(true);
  droppedPaths.clear();
  responses.set('/broken', { status: 500 });
  now += 10_000;
  await deliver();
  expect(await isUnanswered()).toBe(false);
});

it('reports the result of a test message and does not retry it', async () => {
  const { path, add, deliveries } = await newProject();
  const { id: channelId } = await add('webhook', '/test');
  responses.set('/test', { status: 500 });
  const test = (await app.api('POST', `${path}/${channelId}/test`, {})).body;
  expect(test).toMatchObject({
    state: 'failed',
    status: 500,
    error: 'The receiver responded with status 500.',
    attempts: 1,
  });
  now += 100 * HOUR_MS;
  await deliver();
  expect(await deliveries()).toEqual([test]);
});

it('rate-limits tests and replays per project', async () => {
  const { id, path, add, deliveries } = await newProject();
  const { id: channelId } = await add('webhook', '/flood');
  const tests = await Promise.all(Array.from({ length: 30 }, () => app.api('POST', `${path}/${channelId}/test`, {})));
  const rejected = tests.filter(({ status }) => status === 429);
  // One extra test may pass, because the bucket refills during the requests.
  expect([20, 21]).toContain(tests.length - rejected.length);
  expect(rejected[0]!.body.detail).toMatch(/^Too many tests and replays\. Try again in \d+ s\.$/);
  expect(received).toHaveLength(tests.length - rejected.length);
  const [{ id: deliveryId }] = await deliveries();
  const replays = [1, 2].map(() => app.api('POST', `/projects/${id}/alert-deliveries/${deliveryId}/replay`, {}));
  expect((await Promise.all(replays)).map(({ status }) => status)).toContain(429);
  const other = await newProject();
  const { id: otherId } = await other.add('webhook', '/other');
  expect((await app.api('POST', `${other.path}/${otherId}/test`, {})).status).toBe(200);
});

it('ignores a delivery result from a process whose claim has expired', async () => {
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

it('records the result for an email that was in flight at shutdown', async () => {
  const stoppingApp = await start();
  const { id, path, deliveries } = await newProject(stoppingApp);
  const addresses = ['here@example.com', 'busy@example.com'];
  await stoppingApp.api('POST', path, { kind: 'email', name: 'Team', addresses });
  await confirmAll(id, stoppingApp);
  smtpRejections.set('busy@example.com', 450);
  const mailAccepted = Promise.withResolvers<void>();
  mailGate = mailAccepted.promise;
  await enqueue(id, 'Begun', { of: stoppingApp });
  const service = stoppingApp.nest.get(DeliveriesService);
  const delivered = service.deliverDue();
  await until(() => waitingMailCount === 1, { condition: 'the email is in flight' });
  const ended = service.beforeApplicationShutdown();
  mailAccepted.resolve();
  mailGate = Promise.resolve();
  await Promise.all([delivered, ended]);
  expect(mails).toHaveLength(1);
  expect(await deliveries()).toEqual([
    expect.objectContaining({ state: 'waiting', attempts: 1, error: 'The mail server rejected busy@example.com.' }),
  ]);
  await stoppingApp.dispose();
});

it('stops sending queued emails at shutdown and records no attempt for them', async () => {
  const stoppingApp = await start();
  const projects = await Promise.all([1, 2, 3].map(() => newProject(stoppingApp)));
  for (const { id, path } of projects) {
    for (const name of ['One', 'Two', 'Three']) {
      await stoppingApp.api('POST', path, { kind: 'email', name, addresses: [`${name.toLowerCase()}@example.com`] });
    }
    await confirmAll(id, stoppingApp);
  }
  const mailAccepted = Promise.withResolvers<void>();
  mailGate = mailAccepted.promise;
  // Queue the alerts only now. Otherwise the background service could send them before the mail server pauses.
  for (const { id } of projects) await enqueue(id, 'Queued', { of: stoppingApp });
  const service = stoppingApp.nest.get(DeliveriesService);
  const delivered = service.deliverDue();
  // One of the five connections is reserved for emails that a user is waiting for.
  await until(() => waitingMailCount === 4, { condition: 'four emails are in flight' });
  const ended = service.beforeApplicationShutdown();
  mailAccepted.resolve();
  mailGate = Promise.resolve();
  await Promise.all([delivered, ended]);
  expect(mails).toHaveLength(4);
  const deliveries = (await Promise.all(projects.map((project) => project.deliveries()))).flat();
  const queuedDeliveries = deliveries.filter(({ state }) => state === 'waiting');
  expect([deliveries.length, queuedDeliveries.length]).toEqual([9, 5]);
  expect(queuedDeliveries.every(({ attempts, error }) => attempts === 0 && error === null)).toBe(true);
  const claimed = `SELECT FROM alert_deliveries WHERE claimed_until IS NOT NULL`;
  expect(await stoppingApp.database.dataSource.query(claimed)).toEqual([]);
  await stoppingApp.dispose();
});

function delayResponses(path: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  pendingResponses.set(path, promise);
  return () => {
    pendingResponses.delete(path);
    resolve();
  };
}

it('does not retry an in-flight message after its channel is disabled', async () => {
  const { id, add, deliveries } = await newProject();
  await add('webhook', '/ending');
  const releaseResponse = delayResponses('/ending');
  await enqueue(id, 'First');
  const delivered = deliver();
  await until(() => received.length === 1, { condition: 'the first message is in flight' });
  pendingResponses.delete('/ending');
  responses.set('/ending', { status: 410 });
  await enqueue(id, 'Second');
  await until(async () => (await deliveries()).some(({ status }) => status === 410), {
    condition: 'the channel is disabled',
  });
  responses.set('/ending', { status: 500 });
  releaseResponse();
  await delivered;
  const first = (await deliveries()).find(({ title }) => title === 'First');
  expect(first).toMatchObject({ state: 'failed', status: 500, next_attempt_at: null });
});

it('deletes queued messages for a disabled channel after 30 days', async () => {
  const { id, path, add, deliveries } = await newProject();
  const [disabledChannel] = [await add('webhook', '/off'), await add('webhook', '/on')];
  await enqueue(id, 'Old', { at: now + HOUR_MS });
  await app.api('PATCH', `${path}/${disabledChannel.id}`, { is_enabled: false });
  await app.nest.get(DeliveriesRepository).deleteOld(now + 32 * 24 * HOUR_MS);
  expect(await deliveries()).toEqual([expect.objectContaining({ state: 'waiting' })]);
});

it('releases interrupted deliveries immediately at shutdown', async () => {
  const stoppingApp = await start();
  const { id, add, deliveries } = await newProject(stoppingApp);
  await add('webhook', '/cut');
  const releaseResponse = delayResponses('/cut');
  await enqueue(id, 'Cut off', { of: stoppingApp });
  const service = stoppingApp.nest.get(DeliveriesService);
  const delivered = service.deliverDue();
  await until(() => received.length === 1, { condition: 'the request is in flight' });
  await Promise.all([service.beforeApplicationShutdown(), delivered]);
  expect(await deliveries()).toEqual([expect.objectContaining({ state: 'waiting', attempts: 0 })]);
  expect(await stoppingApp.database.dataSource.query('SELECT claimed_until FROM alert_deliveries')).toEqual([
    { claimed_until: null },
  ]);
  releaseResponse();
  await stoppingApp.dispose();
});

it('counts each recipient of a test email toward the limit', async () => {
  const { path } = await newProject();
  const addresses = Array.from({ length: 10 }, (_, index) => `person-${index}@example.com`);
  const { id } = (await app.api('POST', path, { kind: 'email', name: 'Team', addresses })).body;
  const statuses: number[] = [];
  for (let test = 1; test <= 4; test += 1) statuses.push((await app.api('POST', `${path}/${id}/test`, {})).status);
  // One extra test may pass, because the bucket refills during the requests.
  expect([2, 3]).toContain(statuses.filter((status) => status === 200).length);
  expect(statuses.at(-1)).toBe(429);
});

it('returns undefined when testing a deleted channel', async () => {
  const { id } = await newProject();
  const test = app.nest.get(DeliveriesService).test(crypto.randomUUID(), { id, name: 'Shop' });
  expect(await test).toBeUndefined();
});

it('rejects a replay while the delivery is in flight', async () => {
  const { id, path, add, deliveries } = await newProject();
  const { id: channelId } = await add('webhook', '/twice');
  const releaseResponse = delayResponses('/twice');
  const tested = app.api('POST', `${path}/${channelId}/test`, {});
  await until(() => received.length === 1, { condition: 'the request is in flight' });
  const [{ id: deliveryId }] = await deliveries();
  const replay = () => app.api('POST', `/projects/${id}/alert-deliveries/${deliveryId}/replay`, {});
  expect((await replay()).status).toBe(409);
  releaseResponse();
  expect((await tested).body.state).toBe('delivered');
  expect((await replay()).body.state).toBe('waiting');
  await deliver();
  expect(received).toHaveLength(2);
});

it('does not reveal the address of an unreachable mail server', async () => {
  const unreachableApp = await App.start({
    mail: { host: '127.0.0.1', port: 9, security: 'none', user: null, password: null, from: 'alerts@example.com' },
  });
  const { path } = await newProject(unreachableApp);
  const { id } = (
    await unreachableApp.api('POST', path, { kind: 'email', name: 'Team', addresses: ['one@example.com'] })
  ).body;
  await unreachableApp.database.dataSource.query(`UPDATE mail_recipients SET confirmed_at = now()`);
  const { error } = (await unreachableApp.api('POST', `${path}/${id}/test`, {})).body;
  expect(error).toMatch(/^The mail server is unreachable \(E[A-Z]+\)\.$/);
  await unreachableApp.dispose();
});
