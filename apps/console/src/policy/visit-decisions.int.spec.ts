import { App } from '../../../../test/kit/app.js';
import '../../../../test/kit/dispose-all.js';
import { until } from '../../../../test/kit/instance.js';

const RULE = '018f0000-0000-7000-8000-000000000001';
const DECISION = `refused;live;${RULE}`;

let app: App;
beforeAll(async () => {
  app = await App.start();
});

it('attaches decisions from response headers to visits, but not those that a visitor has sent', async () => {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop' })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  const visit = (path: string, parts: object) => ({ request_path: path, request_method: 'GET', ...parts });
  await app.post(
    '/visits',
    [
      visit('/real', {
        request_headers: { 'user-agent': 'GPTBot/1.2' },
        response_headers: { 'Agent-Traffic-Decision': DECISION },
      }),
      visit('/forged', { request_headers: { 'user-agent': 'GPTBot/1.2', 'agent-traffic-decision': DECISION } }),
    ],
    { authorization: `Bearer ${token}` },
  );
  const list = async (query: string) => (await app.api('GET', `/projects/${id}/visits${query}`)).body.visits;
  await until(async () => (await list('')).length === 2, { condition: 'the visits are stored' });
  const [found, ...others] = await list(`?rule=${RULE}`);
  expect([found.visit.request_path, found.decisions, others]).toEqual([
    '/real',
    [{ rule_id: RULE, mode: 'live', outcome: 'refused' }],
    [],
  ]);
  expect(await list('?decision=refused')).toEqual([found]);
  expect(await list('?decision=dry_run_refused')).toEqual([]);
});
