import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';

let app: App;
let site: Server;
let projectId: string;
let token: string;
/** Response of the site, by User-Agent header. */
let respond: (userAgent: string) => { status: number; headers?: Record<string, string> };

beforeAll(async () => {
  app = await App.start({ testVisits: { allowPrivateAddresses: true } });
  site = createServer((request, response) => {
    const userAgent = request.headers['user-agent']!;
    const { status, headers = {} } = respond(userAgent);
    response.writeHead(status, headers).end();
    // Like an access log, this report only contains the User-Agent header.
    const visit = {
      request_path: request.url,
      request_method: 'GET',
      request_headers: { 'user-agent': userAgent },
      client_address: '203.0.113.9',
      response_status_code: status,
    };
    void app.send('POST', '/visits', visit, { authorization: `Bearer ${token}` });
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  const project = { name: 'Proven', site_address: `http://127.0.0.1:${port}/` };
  projectId = (await app.api('POST', '/projects', project)).body.id;
  token = (await app.api('POST', `/projects/${projectId}/tokens`, { name: 'site' })).body.token;
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await app.dispose();
});

const prove = () => app.api('POST', `/projects/${projectId}/policy-proofs`, {});

it('compares the responses to GPTBot and ChatGPT-User with the policy, without counting spoofed visits', async () => {
  const rules = [
    {
      id: crypto.randomUUID(),
      name: 'Training',
      mode: 'live',
      visitors: { purposes: ['training'] },
      action: { kind: 'refuse' },
    },
    {
      id: crypto.randomUUID(),
      name: 'For people',
      mode: 'dry_run',
      visitors: { purposes: ['user'] },
      action: { kind: 'slow_down', requests_per_minute: 1 },
    },
  ];
  expect((await app.api('PUT', `/projects/${projectId}/policy`, { rules })).status).toBe(200);
  respond = (userAgent) => ({ status: userAgent.includes('GPTBot') ? 403 : 200 });
  const { status, body } = await prove();
  expect(status).toBe(200);
  expect(body.requests).toMatchObject([
    { agent_token: 'GPTBot', expected_status: 403, decided_by: 'rule', answer: { status: 403 }, is_expected: true },
    { agent_token: 'ChatGPT-User', expected_status: 200, decided_by: 'nothing', is_expected: true },
  ]);
  expect(body.requests[1].dry_run_rule).toMatchObject({ name: 'For people', status: 200 });

  const visits = await until(
    async () => {
      const { body: list } = await app.api('GET', `/projects/${projectId}/visits`);
      return list.visits.length === 2 && list.visits;
    },
    { condition: 'both visits have been stored' },
  );
  expect(visits.map(({ identification }: Json) => identification)).toMatchObject([
    { agent_token: 'Agent Traffic Test Agent', result: 'not_verifiable' },
    { agent_token: 'Agent Traffic Test Agent', result: 'not_verifiable' },
  ]);
  expect(visits.map(({ visit }: Json) => visit.request_headers['user-agent']).join()).toContain('GPTBot');
});

it('explains responses that differ from the policy', async () => {
  respond = () => ({ status: 200, headers: { age: '60' } });
  const { body } = await prove();
  expect(body.requests[0]).toMatchObject({ expected_status: 403, answer: { status: 200 }, is_expected: false });
  expect(body.requests[0].findings).toContain('The response came from a cache (age: 60 s).');
});

it('requests a page as chosen agents', async () => {
  respond = (userAgent) => ({ status: userAgent.includes('CCBot') ? 403 : 200 });
  const proof = { agent_tokens: ['CCBot', 'Googlebot'], path: '/private/a' };
  const { body } = await app.api('POST', `/projects/${projectId}/policy-proofs`, proof);
  expect(body.requests).toMatchObject([
    { agent_token: 'CCBot', url: expect.stringContaining('/private/a?'), expected_status: 403, is_expected: true },
    { agent_token: 'Googlebot', expected_status: 200, is_expected: true },
  ]);
  const elsewhere = await app.api('POST', `/projects/${projectId}/policy-proofs`, { path: '//evil.example/' });
  expect(elsewhere.status).toBe(422);
});

it('simulates requests without a site, by verified and unverified visitors if their responses differ', async () => {
  const { body: project } = await app.api('POST', '/projects', { name: 'Simulated' });
  const impostors = {
    id: crypto.randomUUID(),
    name: 'Impostors',
    mode: 'live',
    visitors: { results: ['verification_failed'] },
    requests: { paths: ['/private/'] },
    action: { kind: 'refuse' },
  };
  await app.api('PUT', `/projects/${project.id}/policy`, { rules: [impostors] });
  const simulate = async (path?: string) =>
    (await app.api('POST', `/projects/${project.id}/policy-simulations`, { agent_tokens: ['GPTBot'], path })).body
      .responses;
  expect(await simulate('/private/a')).toMatchObject([
    { agent_token: 'GPTBot', result: 'verified', expected_status: 200, rule: null },
    { agent_token: 'GPTBot', result: 'verification_failed', expected_status: 403, rule: { name: 'Impostors' } },
  ]);
  expect(await simulate()).toMatchObject([{ result: 'verification_failed', expected_status: 200 }]);
});

it('simulates requests from an address', async () => {
  const { body: project } = await app.api('POST', '/projects', { name: 'Network' });
  const visitors = { networks: ['203.0.113.0/24'] };
  const rule = { id: crypto.randomUUID(), name: 'Network', mode: 'live', visitors, action: { kind: 'refuse' } };
  await app.api('PUT', `/projects/${project.id}/policy`, { rules: [rule] });
  const simulate = async (address?: string) => {
    const body = { agent_tokens: ['Googlebot'], client_address: address };
    const { body: answer } = await app.api('POST', `/projects/${project.id}/policy-simulations`, body);
    return answer.responses?.map(({ expected_status: status }: { expected_status: number }) => status);
  };
  expect(await simulate('203.0.113.7')).toEqual([403]);
  expect(await simulate('198.51.100.7')).toEqual([200]);
  expect(await simulate()).toEqual([200]);
  expect(await simulate('203.0.113.0/24')).toBeUndefined();
});

it('shows why a site could not be reached', async () => {
  const { body: project } = await app.api('POST', '/projects', { name: 'Down', site_address: 'http://127.0.0.1:1/' });
  const { body } = await app.api('POST', `/projects/${project.id}/policy-proofs`, {});
  expect(body.requests[0]).toMatchObject({ answer: null, is_expected: false });
  expect(body.requests[0].findings[0]).toMatch(/nothing is listening/);
});

it('records proofs in the audit log', async () => {
  respond = () => ({ status: 200 });
  await prove();
  const { body } = await app.api('GET', `/projects/${projectId}/audit-entries?subject=policy_proof`);
  expect(body.entries[0]).toMatchObject({ operation: 'provePolicy', change: 'done', project_id: projectId });
});

it('requires a site address', async () => {
  const { body: project } = await app.api('POST', '/projects', { name: 'Nowhere' });
  expect((await app.api('POST', `/projects/${project.id}/policy-proofs`, {})).status).toBe(409);
});

it('limits the rate', async () => {
  respond = () => ({ status: 200 });
  const statuses = [];
  for (let index = 0; index < 6; index += 1) statuses.push((await prove()).status);
  expect(statuses).toContain(429);
});
