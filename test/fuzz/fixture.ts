/** Creates users with each role, and a project with one resource of each kind. Uses the HTTP API, like real users. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

export const ADMINISTRATOR = { email: 'administrator@example.com', password: randomBytes(12).toString('hex') };
export const API_KEY = `fuzz-key-${randomBytes(12).toString('hex')}`;

export type Caller = 'stranger' | 'token' | 'viewer' | 'member' | 'owner' | 'administrator';

export interface Fixture {
  callers: Record<Caller, Record<string, string>>;
  /** Path parameters of existing resources, keyed by name or by path and name. */
  parameters: Record<string, string>;
}

type Json = ReturnType<typeof JSON.parse>;

/**
 * Creates the fixture.
 *
 * @param url Base URL of an instance started with {@link ADMINISTRATOR} and {@link API_KEY}.
 */
export async function createFixture(url: string): Promise<Fixture> {
  let requestCount = 0;

  async function send(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(headers?.['Cookie'] === undefined && { authorization: `Bearer ${API_KEY}` }),
        'x-forwarded-for': `198.19.0.${(requestCount += 1)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const text = await response.text();
    return { body: (text === '' ? null : JSON.parse(text)) as Json, cookie: getCookie(response) };
  }

  const project = (await send('POST', '/api/projects', { name: 'Fuzzed', host_names: ['shop.internal'] })).body
    .id as string;
  const under = `/api/projects/${project}`;

  async function newPerson(name: string, role = name): Promise<{ id: string; cookie: string }> {
    const invitation = (await send('POST', `${under}/invitations`, { role })).body;
    const account = { name, email: `${name}@example.com`, password: ADMINISTRATOR.password };
    const path = `/api/invitations/${invitation.url.split('/').at(-1)}`;
    const { body, cookie } = await send('POST', path, account, { authorization: '' });
    return { id: body.user.id, cookie };
  }

  const person = (cookie: string): Record<string, string> => ({ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
  const [viewer, member, owner] = [await newPerson('viewer'), await newPerson('member'), await newPerson('owner')];
  const administrator = await send('POST', '/api/session', ADMINISTRATOR, { authorization: '' });
  const token = (await send('POST', `${under}/tokens`, {})).body.token as string;
  const tokenHeaders = { authorization: `Bearer ${token}` };
  const rules = { agent_types: ['Scraper'], format: 'text' };
  const visits = ['GPTBot/1.2', 'ChatGPT-User/1.0'].map((userAgent) => ({
    request_path: '/',
    request_method: 'GET',
    request_headers: { 'user-agent': userAgent },
  }));
  await send('POST', '/visits', [...visits, { request_path: 1 }], tokenHeaders);
  /** Waits for the preview to finish, because the job keeps changing until then. */
  const createPreview = async (): Promise<string> => {
    const range = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' };
    let { body } = await send('POST', `${under}/reidentifications`, range);
    while (body.state === 'previewing') {
      await sleep(100);
      ({ body } = await send('GET', `${under}/reidentifications/${body.id}`));
    }
    return body.id;
  };
  const first = async (path: string, list: string): Promise<string> => {
    for (;;) {
      const [item] = (await send('GET', path)).body[list];
      if (item !== undefined) return item.id;
    }
  };
  const asOwner = person(owner.cookie);
  const sharedLink = (await send('POST', `${under}/shared-links`, { name: 'Everybody' })).body;
  const channel = { kind: 'webhook', name: 'Kept', url: 'https://hooks.example/alerts' };
  const channelId = (await send('POST', `${under}/alert-channels`, channel)).body.id as string;
  const filters = { name: 'Kept', page: 'visits', search: 'agent=GPTBot' };
  await send(
    'POST',
    '/api/session',
    { email: 'owner@example.com', password: ADMINISTRATOR.password },
    { authorization: '' },
  );
  const { sessions } = (await send('GET', '/api/account', undefined, asOwner)).body;
  return {
    callers: {
      stranger: {},
      token: { Authorization: tokenHeaders.authorization },
      viewer: person(viewer.cookie),
      member: person(member.cookie),
      owner: person(owner.cookie),
      administrator: person(administrator.cookie),
    },
    parameters: {
      id: project,
      source: 'json',
      '/api/dead-letters/{id} id': await first('/api/dead-letters', 'dead_letters'),
      '/api/api-keys/{id} id': (await send('POST', '/api/api-keys', { project_ids: [project] })).body.id,
      tokenId: (await send('POST', `${under}/tokens`, {})).body.id,
      visitId: await first(`${under}/visits`, 'visits'),
      journeyId: await first(`${under}/journeys`, 'journeys'),
      testVisitId: (await send('POST', `${under}/test-visits`, {})).body.id,
      versionId: (await send('POST', `${under}/rules-versions`, rules)).body.id,
      policyVersionId: (await send('PUT', `${under}/policy`, { rules: [] })).body.version.id,
      robotsVersionId: (await send('POST', `${under}/robots-versions`, { text: 'User-agent: *\nDisallow: /private/' }))
        .body.id,
      filterId: (await send('POST', `${under}/saved-filters`, filters)).body.id,
      linkId: (await send('POST', `${under}/shared-links`, { name: 'Nobody' })).body.id,
      secret: sharedLink.url.split('/').at(-1),
      badge: sharedLink.badge_url.split('/').at(-1),
      dismissedId: (await send('POST', `${under}/dismissed-user-agents`, { user_agent_group: 'Kept/*' })).body.id,
      noteId: (await send('POST', `${under}/chart-notes`, { day: '2026-11-21', text: 'Kept' })).body.id,
      alertId: (await send('POST', `${under}/alerts`, { kind: 'spike' })).body.id,
      channelId,
      deliveryId: (await send('POST', `${under}/alert-channels/${channelId}/test`, {})).body.id,
      feedId: (await send('POST', '/api/agent-feeds', { name: 'Fuzzed', document: '[]' })).body.id,
      reidentificationId: await createPreview(),
      keyId: (await send('POST', '/api/account/api-keys', {}, asOwner)).body.id,
      // Passkeys can't be created without a device, so this ID doesn't exist.
      passkeyId: '00000000-0000-4000-8000-000000000000',
      sessionId: sessions.find(({ is_current: isCurrent }: Json) => !isCurrent).id,
      invitationId: (await send('POST', `${under}/invitations`, { role: 'viewer' })).body.id,
      unsubscription: '00000000-0000-4000-8000-000000000000',
      recipientId: '00000000-0000-4000-8000-000000000000',
      recipient: '00000000-0000-4000-8000-000000000000',
      userId: (await newPerson('guest', 'viewer')).id,
    },
  };
}

const getCookie = (response: Response): string => response.headers.getSetCookie().join().split(';')[0]!;
