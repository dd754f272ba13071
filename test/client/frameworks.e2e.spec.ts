import type { EnrichedVisit } from '#libs/contracts';
import type { Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createTestClient } from '../system/target.js';
import { Site, VISITOR_ADDRESS } from './site.js';
import { FRAMEWORKS } from './site-programs.js';

const PAGES = 200;

const waitUntilStored = (client: Client, count: number): Promise<EnrichedVisit[]> =>
  until(
    async () => {
      const visits = await client.visits();
      return visits.length >= count && visits;
    },
    { condition: `${count} visits are stored` },
  );

describe.each(FRAMEWORKS)('%s site', (framework) => {
  let client: Client;
  let visits: EnrichedVisit[];
  let pages: string[];
  let exitResult: NodeJS.Signals | number | null;

  const findVisit = (path: string): EnrichedVisit['visit'] =>
    visits.find(({ visit }) => visit.request_path === path)!.visit;

  beforeAll(async () => {
    client = await createTestClient(framework);
    const site = await Site.start(framework, { reportsTo: client.target });
    pages = await site.visit(PAGES, 20);
    expect((await site.callTool('broken')).body).toContain('"isError":true');
    await site.get('/checkout_sessions/cs_1?token=abc', { 'api-version': '2026-01-30', cookie: 'session=abc' });
    await site.get('/style.css');
    await site.abortRequest();
    // The site sends queued visits before it exits.
    exitResult = await site.stop();
    visits = await waitUntilStored(client, PAGES + 3);
  });

  it('exits on SIGTERM without losing a visit', () => {
    expect(exitResult).toBe('SIGTERM');
    const paths = visits.map(({ visit }) => visit.request_path);
    expect(paths.toSorted()).toEqual(
      [...pages, '/mcp', '/checkout_sessions/cs_1?token=[redacted]', '/slow'].toSorted(),
    );
  });

  it('reports the visitor and the response', () => {
    const page = visits.find(({ visit }) => visit.request_path === pages[0])!;
    expect(page.identification.agent_token).toBe('GPTBot');
    expect(page.client_address).toBe(VISITOR_ADDRESS);
    expect(page.visit).toMatchObject({
      client_address: '127.0.0.1',
      request_method: 'GET',
      response_status_code: 200,
      response_duration_in_milliseconds: expect.any(Number),
    });
    expect(page.visit.response_headers!['content-type']).toMatch(/^text\/html/);
    expect(Date.parse(page.occurred_at)).toBeLessThanOrEqual(Date.parse(page.received_at));
  });

  it('reports a visitor who disconnects before the response', () => {
    const slow = findVisit('/slow');
    expect(slow).toMatchObject({ response_aborted: true });
    expect(slow).not.toHaveProperty('response_status_code');
  });

  it("reports a tool call's tool, caller, and error", () => {
    expect(findVisit('/mcp')).toMatchObject({
      mcp_request_method: 'tools/call',
      mcp_request_tool_name: 'broken',
      mcp_request_client_info_name: 'claude',
      mcp_request_client_info_version: '1.2',
      mcp_response_result_is_error: true,
    });
  });

  it('reports a checkout without credentials', () => {
    expect(findVisit('/checkout_sessions/cs_1?token=[redacted]')).toMatchObject({
      request_headers: { cookie: '[redacted]' },
      acp_response_body: { id: 'cs_1', totals: [{ type: 'total', amount: 1250 }] },
    });
  });
});
