import { App, type Json } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { TestDnsServer } from '../kit/dns.js';

/** Crawler whose address is outside Googlebot's published ranges. */
const CRAWLER = { address: '198.51.100.20', ptr: '20.100.51.198.in-addr.arpa', name: 'crawl-20.googlebot.com' };
const IPV6 = {
  address: '2001:db8::20',
  ptr: '0.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
  name: 'crawl-v6.googlebot.com',
};
const SPOOF = { address: '95.216.227.158', ptr: '158.227.216.95.in-addr.arpa', name: 'crawl-spoof.googlebot.com' };
const FORGED = { address: '198.51.100.21', ptr: '21.100.51.198.in-addr.arpa', name: 'googlebot.com.evil.example' };
const SILENT = { address: '198.51.100.22', ptr: '22.100.51.198.in-addr.arpa' };
const BROKEN = { address: '198.51.100.23', ptr: '23.100.51.198.in-addr.arpa' };
const NAMELESS = { address: '198.51.100.24' };

let server: TestDnsServer;
let app: App;

beforeAll(async () => {
  server = await TestDnsServer.start();
  for (const { ptr, name } of [CRAWLER, IPV6, SPOOF, FORGED]) server.setRecords('PTR', ptr, [name]);
  server.setRecords('A', CRAWLER.name, [CRAWLER.address]);
  server.setRecords('AAAA', IPV6.name, [IPV6.address]);
  server.setRecords('A', FORGED.name, [FORGED.address]);
  server.fail(SILENT.ptr, 'silence');
  server.fail(BROKEN.ptr, 'SERVFAIL');
  app = await App.start({ dnsServers: [server.address] });
});
afterAll(async () => {
  await app.dispose();
  await server.stop();
});

const createGooglebotItem = (address: string) => ({
  request_headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': address },
});

const CASES = [
  [CRAWLER, 'verified', null],
  [IPV6, 'verified', null],
  [SPOOF, 'verification_failed', 'host_name_not_confirmed'],
  [FORGED, 'verification_failed', 'host_name_not_listed'],
  [NAMELESS, 'verification_failed', 'no_host_name'],
  [SILENT, 'not_verifiable', 'dns_timeout'],
  [BROKEN, 'not_verifiable', 'dns_error'],
] as const;

it('verifies agents by reverse DNS and lists the steps as evidence', async () => {
  const items = CASES.map(([{ address }]) => ({ id: address, ...createGooglebotItem(address) }));
  const { body } = await app.post('/agent-identifications', items);
  expect(body.map(({ result }: Json) => result)).toEqual(CASES.map(([, result]) => result));
  for (const [{ address }, result, reason] of CASES) {
    const explanation = (await app.api('POST', '/identifications', createGooglebotItem(address))).body;
    expect(explanation).toMatchObject({ client_address: address, identification: { result, reason } });
    expect(explanation.identification.evidence.steps.map(({ method }: Json) => method)).toEqual([
      'ip_range',
      'reverse_dns',
    ]);
  }
});

it('serves repeated lookups from the cache, including lookups for stored visits', async () => {
  const conclusiveItems = CASES.filter(([, result]) => result !== 'not_verifiable').map(([{ address }]) =>
    createGooglebotItem(address),
  );
  const questionsBefore = server.receivedQuestions.length;
  for (let round = 0; round < 3; round += 1) await app.post('/agent-identifications', conclusiveItems);
  const visits = conclusiveItems.map((item) => ({ request_path: '/', request_method: 'GET', ...item }));
  expect((await app.post('/visits', visits)).status).toBe(204);
  expect(server.receivedQuestions.length).toBe(questionsBefore);
  const { body: projects } = await app.api('GET', '/projects');
  const timeline = await app.api('GET', `/projects/${projects.projects[0].id}/visits?result=verified`);
  expect(timeline.body.visits.map((visit: Json) => visit.identification.method)).toEqual([
    'reverse_dns',
    'reverse_dns',
  ]);
});

it('sends no DNS queries for unknown visitors or agents without host names', async () => {
  const questionsBefore = server.receivedQuestions.length;
  for (const userAgent of ['Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0', 'curl/8.5.0', 'GPTBot/1.2']) {
    const request_headers = { 'user-agent': userAgent, 'x-forwarded-for': '192.0.2.200' };
    await app.post('/agent-identifications', { request_headers });
  }
  expect(server.receivedQuestions.length).toBe(questionsBefore);
});
