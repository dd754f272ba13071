import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { WordPress } from './wordpress.js';

const COUNT = 200;
const GPTBOT = { headers: { 'user-agent': 'GPTBot/1.2' } };

let instance: Instance;
let client: Client;
let wordPress: WordPress;

beforeAll(async () => {
  instance = await Instance.start({ env: { ...CREDENTIALS_ENV, LOG_LEVEL: 'fatal' } });
  client = new Client({ url: instance.url, ...CREDENTIALS });
  // The test enters the URL and the token on the plugin's settings page.
  wordPress = await WordPress.start({ url: '', accessToken: '' });
}, 600_000);
afterAll(async () => {
  await wordPress?.dispose();
  await instance.dispose();
});

const get = async (path: string, options = GPTBOT) => {
  const response = await fetch(wordPress.url + path, options);
  return { status: response.status, text: await response.text() };
};

it('reports visits, writes robots.txt, and blocks agents according to the plugin settings', async () => {
  await wordPress.activate();
  expect((await wordPress.request('/wp-admin/options-general.php?page=agent-traffic')).text).toContain(
    'Until then, no visits are reported.',
  );
  expect((await get('/?p=1')).status).toBe(200);

  await wordPress.save({ url: instance.url, token: CREDENTIALS.accessToken, disallowed: ['AI Data Scraper'] });
  // An empty token field leaves the saved token unchanged.
  await wordPress.save({ url: `${instance.url}/`, token: '', disallowed: ['AI Data Scraper'] });
  const page = (await wordPress.request('/wp-admin/options-general.php?page=agent-traffic')).text;
  expect(page).not.toContain(CREDENTIALS.accessToken);
  expect(page).toMatch(/value="AI Data Scraper"\s+checked/);
  expect((await get('/robots.txt')).text).toMatch(/^User-agent: \*\n(.*\n)*User-agent: GPTBot\nDisallow: \/\n/);

  const pages = Array.from({ length: COUNT }, (_, number) => `/?numbered=${number}`);
  for (let start = 0; start < COUNT; start += 10) {
    const responses = await Promise.all(pages.slice(start, start + 10).map((path) => get(path)));
    expect(responses.filter(({ status, text }) => status !== 200 || !text.includes('A site'))).toEqual([]);
  }
  expect((await get('/nowhere')).status).toBe(404);
  const visits = await until(
    async () => {
      const found = await client.visits();
      return found.some(({ visit }) => visit.request_path === '/nowhere') && found.length > COUNT && found;
    },
    { condition: 'the visits are recorded', explain: () => wordPress.site.output },
  );
  const paths = visits.map(({ visit }) => visit.request_path);
  expect(paths.filter((path) => path.startsWith('/?numbered=')).toSorted()).toEqual(pages.toSorted());
  expect(visits.find(({ visit }) => visit.request_path === '/nowhere')).toMatchObject({
    visit: { response_status_code: 404, client_address: '127.0.0.1' },
    identification: { agent_token: 'GPTBot' },
  });

  await wordPress.save({ url: instance.url, token: '', blocked: ['AI Data Scraper'] });
  expect(await get('/?p=1')).toEqual({ status: 403, text: 'Forbidden\n' });
  expect((await get('/?p=1', { headers: { 'user-agent': 'Mozilla/5.0 (X11) Firefox/140.0' } })).status).toBe(200);
  expect((await get('/wp-login.php')).status).toBe(200);
});

it('serves pages while the instance is down and reports them afterwards', async () => {
  await instance.stop();
  for (let number = 0; number < 20; number += 1) expect((await get(`/?away=${number}`)).status).toBe(200);
  instance = await instance.restart();
  await until(
    async () => {
      await get('/?later');
      return (await client.visits({ path: '/?away=' })).length === 20;
    },
    { condition: 'the visits are recorded', timeoutMs: 90_000, explain: () => wordPress.site.output },
  );
  expect(wordPress.site.output).not.toMatch(/PHP (?:Warning|Notice|Deprecated|Fatal).*agent-traffic/i);
});
