import { createHash } from 'node:crypto';
import { agentId } from '#libs/catalog';
import type { ProjectRole } from '#libs/contracts';
import type { App, Json } from './app.js';
import { until } from './instance.js';
import { Person } from './person.js';

export const PASSWORD = 'correct horse battery';
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Project with at least one of each resource that can belong to a project. */
export interface Tenant {
  id: string;
  tokenId: string;
  tokenValue: string;
  invitationId: string;
  visitId: string;
  journeyId: string;
  letterId: string;
  testVisitId: string;
  versionId: string;
  policyVersionId: string;
  robotsVersionId: string;
  filterId: string;
  linkId: string;
  /** Secret in the URL of the shared overview. */
  secret: string;
  noteId: string;
  feedId: string;
  dismissedId: string;
  reidentificationId: string;
  alertId: string;
  channelId: string;
  deliveryId: string;
  /** Report recipient without an account. */
  recipientId: string;
  /** Secret in the recipient's emails. */
  unsubscription: string;
  owner: Member;
}

export interface Member extends Person {
  id: string;
  email: string;
}

const visit = { request_path: '/', request_method: 'GET', request_headers: { 'user-agent': 'GPTBot/1.2' } };
/** Host name that is never resolved. */
const HOST = 'shop.internal';
/** Rule that refuses agents from a host that is never requested. */
const REFUSE_RULE = {
  id: '018f0000-0000-7000-8000-000000000001',
  mode: 'dry_run',
  requests: { hosts: [HOST] },
  action: { kind: 'refuse' },
};
/** Passkey that doesn't exist on any device. */
const CREDENTIAL = { id: 'x', rawId: 'x', type: 'public-key' };
let memberCount = 0;

export async function createMember(inviter: Person, projectId: string, role: ProjectRole): Promise<Member> {
  const email = `person${++memberCount}@example.com`;
  const person = await inviter.invite(projectId, role, { name: 'Person', email, password: PASSWORD });
  return Object.assign(person, { email });
}

/** @param name Project name, which follows `/secret-of-` in the paths of its visits and rules. */
export async function createTenant(app: App, admin: Person, name: string): Promise<Tenant> {
  const { id } = (await app.api('POST', '/projects', { name, host_names: [HOST] })).body;
  const owner = await createMember(admin, id, 'owner');
  const { id: tokenId, token: tokenValue } = (await owner.call('POST', `/projects/${id}/tokens`, {})).body;
  const { id: invitationId } = (await owner.call('POST', `/projects/${id}/invitations`, { role: 'viewer' })).body;
  const rules = { agent_types: ['Scraper'], disallow: `/secret-of-${name}`, format: 'grouped' };
  const { id: versionId } = (await owner.call('POST', `/projects/${id}/rules-versions`, rules)).body;
  const policy = { rules: [{ ...REFUSE_RULE, name: `secret-of-${name}` }] };
  const policyVersionId = (await owner.call('PUT', `/projects/${id}/policy`, policy)).body.version.id as string;
  const robots = { text: `User-agent: *\nDisallow: /secret-of-${name}` };
  const { id: robotsVersionId } = (await owner.call('POST', `/projects/${id}/robots-versions`, robots)).body;
  const sitemap = { text: `https://${HOST}/secret-of-${encodeURIComponent(name)}` };
  await owner.call('POST', `/projects/${id}/sitemaps`, sitemap);
  const filters = { name: 'Kept', page: 'visits', search: `path=/secret-of-${encodeURIComponent(name)}` };
  const { id: filterId } = (await owner.call('POST', `/projects/${id}/saved-filters`, filters)).body;
  const link = (await owner.call('POST', `/projects/${id}/shared-links`, { name: 'Everybody' })).body;
  const note = { day: '2026-11-21', text: `secret-of-${name}` };
  const { id: noteId } = (await owner.call('POST', `/projects/${id}/chart-notes`, note)).body;
  const feed = { name: `Feed of ${name}`, document: '[]' };
  const { id: feedId } = (await app.api('POST', '/agent-feeds', feed)).body;
  const dismissal = { user_agent_group: `secret-of-${name}` };
  const { id: dismissedId } = (await owner.call('POST', `/projects/${id}/dismissed-user-agents`, dismissal)).body;
  const past = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' };
  const { id: reidentificationId } = (await owner.call('POST', `/projects/${id}/reidentifications`, past)).body;
  // Simulate that the agent was removed from the catalog. An agent that is in the catalog is visible to all projects,
  // so it wouldn't reveal a leak.
  await app.database.dataSource.query(`UPDATE reidentifications SET agent_token = $2 WHERE id = $1`, [
    reidentificationId,
    `secret-of-${name}`,
  ]);
  const alert = { kind: 'spike', operator: `secret-of-${name}` };
  const { id: alertId } = (await owner.call('POST', `/projects/${id}/alerts`, alert)).body;
  // The host name in the URL doesn't exist.
  const channel = { kind: 'webhook', name: `secret-of-${name}`, url: 'https://hooks.example/alerts' };
  const { id: channelId } = (await owner.call('POST', `/projects/${id}/alert-channels`, channel)).body;
  const { id: deliveryId } = (await owner.call('POST', `/projects/${id}/alert-channels/${channelId}/test`, {})).body;
  const [recipient]: [{ id: string; unsubscription: string }] = await app.database.dataSource.query(
    `INSERT INTO report_subscriptions (project_id, address, next_attempt_at) VALUES ($1::uuid, 'secret-of-' || $1::uuid, 'infinity')
     RETURNING id, unsubscription`,
    [id],
  );
  const assistant = { ...visit, request_headers: { 'user-agent': 'ChatGPT-User/1.0' } };
  const visits = [{}, visit, assistant].map((each) => ({ ...each, request_path: `/secret-of-${name}` }));
  await app.post('/visits', visits, { authorization: `Bearer ${tokenValue}` });
  // Adds an entry to the list of rejected requests.
  await app.post('/visits', 7, { authorization: `Bearer ${tokenValue}` });
  const { id: testVisitId } = (await owner.call('POST', `/projects/${id}/test-visits`, {})).body;
  const letters = await until(
    async () => {
      const { body } = await owner.call('GET', '/dead-letters');
      return body.dead_letters.length > 0 && body.dead_letters;
    },
    { condition: 'the dead letter is listed' },
  );
  const visitId = await until(
    async () => (await owner.call('GET', `/projects/${id}/visits`)).body.visits[0]?.id as string | undefined,
    { condition: 'the visit is listed' },
  );
  const assistantVisits = `/projects/${id}/visits?agent=ChatGPT-User`;
  const journeyId = await until(
    async () => (await owner.call('GET', assistantVisits)).body.visits[0]?.id as string | undefined,
    { condition: "the assistant's visit is listed" },
  );
  return {
    id,
    tokenId,
    tokenValue,
    invitationId,
    visitId,
    journeyId,
    letterId: letters[0].id,
    testVisitId,
    versionId,
    policyVersionId,
    robotsVersionId,
    filterId,
    linkId: link.id,
    secret: link.url.split('/').at(-1),
    noteId,
    feedId,
    dismissedId,
    reidentificationId,
    alertId,
    channelId,
    deliveryId,
    recipientId: recipient.id,
    unsubscription: recipient.unsubscription,
    owner,
  };
}

/** Creates a project with members of every role, a second project, and an administrator of both. */
export async function createTwoTenants(app: App) {
  const admin = await Person.administrator(app.nest, 'root@example.com', PASSWORD);
  const ours = await createTenant(app, admin, 'Ours');
  const theirs = await createTenant(app, admin, 'Theirs');
  const member = await createMember(admin, ours.id, 'member');
  return { admin, ours, theirs, member, viewer: await createMember(admin, ours.id, 'viewer') };
}

/** Values for the `{parameter}` placeholders in an operation's path. */
export type PathParameters = Record<string, string>;

/** Returns the URL of an operation on a project's resources. */
export function createOperationUrl(path: string, tenant: Tenant, parameters: PathParameters = {}): string {
  const all: PathParameters = {
    source: 'json',
    id: path.includes('dead-letters') ? tenant.letterId : path.includes('api-keys') ? UNKNOWN_ID : tenant.id,
    tokenId: tenant.tokenId,
    visitId: tenant.visitId,
    journeyId: tenant.journeyId,
    testVisitId: tenant.testVisitId,
    versionId: tenant.versionId,
    policyVersionId: tenant.policyVersionId,
    ruleId: REFUSE_RULE.id,
    robotsVersionId: tenant.robotsVersionId,
    filterId: tenant.filterId,
    linkId: tenant.linkId,
    secret: tenant.secret,
    badge: createHash('sha256').update(tenant.secret).digest('base64url'),
    noteId: tenant.noteId,
    feedId: tenant.feedId,
    dismissedId: tenant.dismissedId,
    reidentificationId: tenant.reidentificationId,
    alertId: tenant.alertId,
    channelId: tenant.channelId,
    deliveryId: tenant.deliveryId,
    recipientId: tenant.recipientId,
    keyId: UNKNOWN_ID,
    unsubscription: path.endsWith('/confirmation') ? tenant.unsubscription : UNKNOWN_ID,
    recipient: UNKNOWN_ID,
    sessionId: UNKNOWN_ID,
    passkeyId: UNKNOWN_ID,
    userId: tenant.owner.id,
    invitationId: tenant.invitationId,
    agentId: agentId('GPTBot'),
    agent: 'GPTBot',
    assistant: 'ChatGPT',
    ...parameters,
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => all[name]!);
}

/** Returns a request body for the given operation ID that is valid for the project's resources. */
export const createRequestBody = (id: string, tenant: Tenant): Json =>
  ({
    changeProject: { name: 'Taken over' },
    changeDrainSettings: { leaves_out_static_files: false },
    createProject: { name: 'x' },
    loadDemo: { days: 1 },
    replayDeadLetters: { ids: [tenant.letterId] },
    changeMember: { role: 'viewer' },
    createInvitation: { role: 'owner' },
    explainIdentification: { request_headers: {}, project_id: tenant.id },
    confirmSession: { password: 'not the password' },
    changePassword: { current_password: 'not the password', new_password: PASSWORD },
    signTestVisit: { url: 'https://shop.example/' },
    renderRules: { agent_types: ['Scraper'], format: 'text' },
    tryRules: { agent_types: ['Scraper'], disallow: '/private/' },
    changePolicy: { rules: [] },
    tryPolicy: { rules: [], days: 1 },
    simulateProof: { agent_tokens: ['GPTBot'] },
    saveRulesVersion: { agent_types: ['Scraper'], format: 'text' },
    recordRobotsVersion: { status: 404 },
    recordSitemap: { text: `https://${HOST}/another` },
    createSavedFilter: { name: 'More', page: 'overview', search: 'agent=GPTBot' },
    createSharedLink: { name: 'Somebody' },
    openSharedLink: { password: PASSWORD },
    renameSavedFilter: { name: 'Renamed' },
    dismissUserAgent: { user_agent_group: 'AcmeFetch/*' },
    tryPatterns: { user_agent_patterns: ['AcmeFetch'] },
    createChartNote: { day: '2026-11-22', text: 'Another' },
    changeChartNote: { text: 'Changed' },
    createAlert: { kind: 'drop' },
    changeAlert: { is_enabled: false },
    createAlertChannel: { kind: 'slack', name: 'Chat', url: 'https://hooks.slack.com/services/x' },
    changeAlertChannel: { name: 'Renamed' },
    previewAlert: { kind: 'spike' },
    createReidentification: { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' },
    changeReidentification: { action: 'cancel' },
    changeReportSettings: { project_ids: [tenant.id] },
    changeReportSchedule: { frequency: 'monthly', weekday: 1, time_zone: null },
    sendReport: { to: 'everyone' },
    addReportRecipient: { address: 'recipient@example.com' },
    changeOwnAccount: { name: 'Somebody', current_password: 'not the password' },
    addAgentFeed: { name: 'Another', document: '[]' },
    changeAgentFeed: { accepts_all: false },
    acceptFeedAgents: { feed_id: tenant.feedId },
    dismissFeedAgents: { feed_id: tenant.feedId },
    changeRetention: { days: 1 },
    // Nothing listens on this port.
    changeMailServer: { host: '127.0.0.1', port: 9, security: 'none', user: null, from: 'alerts@example.com' },
    deleteVisits: { address: '203.0.113.254' },
    changeUser: { is_admin: true },
    finishSignIn: { code: '000000' },
    signInWithPasskey: {
      credential: {
        ...CREDENTIAL,
        response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
      },
    },
    createPasskey: {
      name: 'Phone',
      credential: { ...CREDENTIAL, response: { clientDataJSON: 'x', attestationObject: 'x' } },
    },
    renamePasskey: { name: 'Phone' },
    activateSecondFactor: { code: '000000' },
    createPasswordReset: { email: 'root@example.com' },
  })[id] ?? {};
