import type { Awaitable, DnsAnswer } from '#libs/agents';
import { App, type Answer } from '../kit/app.js';
import { GOOGLEBOT } from '../kit/client.js';
import { NO_SOURCES } from '../kit/identifier.js';

const ADDRESS = '198.51.100.20';
const ITEM = {
  request_path: '/',
  request_headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': ADDRESS },
};

let app: App;
/** Host names of the address, pending until `respond` is called. */
let hostNames: Awaitable<DnsAnswer>;
let respond: (answer: DnsAnswer) => void;

beforeAll(async () => {
  const dns = { hostNames: () => hostNames, addresses: () => ({ values: [ADDRESS] }) };
  app = await App.start({ sources: { ...NO_SOURCES, dns } });
});
beforeEach(() => {
  hostNames = new Promise((resolve) => (respond = resolve)).then((answer) => (hostNames = answer as DnsAnswer));
});
afterAll(() => app.dispose());

const ask = (path: string, timeout?: string): Promise<Answer> =>
  app.post(path, ITEM, timeout === undefined ? {} : { 'agent-traffic-timeout-ms': timeout });

it.each(['/agent-identifications', '/agent-verifications'])(
  'responds on %s within the caller’s timeout, and uses late DNS answers next time',
  async (path) => {
    const patient = ask(path);
    const hurried = await Promise.race([ask(path, '100'), patient.then(() => null)]);
    expect(hurried).toMatchObject({ status: 200, body: { result: 'not_verifiable', agent_token: 'Googlebot' } });
    respond({ values: ['crawl-20.googlebot.com'] });
    expect((await patient).body).toMatchObject({ result: 'verified' });
    expect((await ask(path, '1')).body).toMatchObject({ result: 'verified' });
  },
);

it.each(['0', '1'])('responds immediately with a timeout of %s ms', async (timeout) => {
  const patient = ask('/agent-verifications');
  const hurried = await Promise.race([ask('/agent-verifications', timeout), patient.then(() => null)]);
  expect(hurried!.body).toMatchObject({ result: 'not_verifiable' });
  respond({ values: [] });
  await patient;
});

it.each(['', '-1', '1.5', 'soon', '2000', '99999999999999999999', '100, 200'])(
  'uses the default timeout if the header is %j',
  async (timeout) => {
    const answer = ask('/agent-verifications', timeout);
    setTimeout(() => respond({ values: ['crawl-20.googlebot.com'] }), 200);
    expect((await answer).body).toMatchObject({ result: 'verified' });
  },
);
