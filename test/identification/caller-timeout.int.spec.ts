import type { Awaitable, DnsResult } from '#libs/agents';
import { App, type TestResponse } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { UNAVAILABLE_SOURCES } from '../kit/identifier.js';

const ADDRESS = '198.51.100.20';
const ITEM = {
  request_path: '/',
  request_headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': ADDRESS },
};

let app: App;
/** DNS response with the host names of `ADDRESS`. It is pending until `respond` is called. */
let hostNames: Awaitable<DnsResult>;
let respond: (answer: DnsResult) => void;

beforeAll(async () => {
  const dns = { hostNames: () => hostNames, addresses: () => ({ values: [ADDRESS] }) };
  app = await App.start({ sources: { ...UNAVAILABLE_SOURCES, dns } });
});
beforeEach(() => {
  hostNames = new Promise((resolve) => (respond = resolve)).then((answer) => (hostNames = answer as DnsResult));
});
afterAll(() => app.dispose());

const post = (path: string, timeout?: string): Promise<TestResponse> =>
  app.post(path, ITEM, timeout === undefined ? {} : { 'agent-traffic-timeout-ms': timeout });

it.each(['/agent-identifications', '/agent-verifications'])(
  "%s responds within the caller's timeout, and uses late DNS responses next time",
  async (path) => {
    const patientResponse = post(path);
    const hurriedResponse = await Promise.race([post(path, '100'), patientResponse.then(() => null)]);
    expect(hurriedResponse).toMatchObject({
      status: 200,
      body: { result: 'not_verifiable', agent_token: 'Googlebot' },
    });
    respond({ values: ['crawl-20.googlebot.com'] });
    expect((await patientResponse).body).toMatchObject({ result: 'verified' });
    expect((await post(path, '1')).body).toMatchObject({ result: 'verified' });
  },
);

it.each(['0', '1'])('responds immediately if the timeout is %s ms', async (timeout) => {
  const patientResponse = post('/agent-verifications');
  const hurriedResponse = await Promise.race([post('/agent-verifications', timeout), patientResponse.then(() => null)]);
  expect(hurriedResponse!.body).toMatchObject({ result: 'not_verifiable' });
  respond({ values: [] });
  await patientResponse;
});

it.each(['', '-1', '1.5', 'soon', '2000', '99999999999999999999', '100, 200'])(
  'uses the default timeout if the header is %j',
  async (timeout) => {
    const answer = post('/agent-verifications', timeout);
    setTimeout(() => respond({ values: ['crawl-20.googlebot.com'] }), 200);
    expect((await answer).body).toMatchObject({ result: 'verified' });
  },
);
