import { parseLine } from '#libs/access-log';
import { BROWSER } from '../kit/client.js';
import { App, type Json } from '../kit/app.js';
import { until } from '../kit/instance.js';
import '../kit/dispose-all.js';

const HOST = 'shop.example';
const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const CHATGPT_USER = 'Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Visits in combined log format, with the assistant and source expected for each. */
const LOG: [path: string, status: number, referer: string, userAgent: string, sentBy: string | null][] = [
  // These assistants are detected by the `Referer` header.
  ['/shoes', 200, 'https://chatgpt.com/', BROWSER, 'ChatGPT by referer'],
  ['/shoes', 200, 'https://www.perplexity.ai/', BROWSER, 'Perplexity by referer'],
  ['/hats', 404, 'https://claude.ai/', BROWSER, 'Claude by referer'],
  ['/', 200, 'https://duck.ai/', BROWSER, 'Duck.ai by referer'],
  ['/', 304, 'https://gemini.google.com/', BROWSER, 'Gemini by referer'],
  // These assistants are detected by the query string, which takes precedence over the header.
  ['/shoes?utm_source=chatgpt.com', 200, '-', BROWSER, 'ChatGPT by utm_source'],
  ['/shoes?color=red&utm_source=Perplexity', 200, '-', BROWSER, 'Perplexity by utm_source'],
  ['/shoes?source=claude.ai', 200, '-', BROWSER, 'Claude by source'],
  ['/shoes?ref=chatgpt', 200, 'https://www.google.com/', BROWSER, 'ChatGPT by ref'],
  ['/shoes?utm_source=chatgpt.com', 200, 'https://claude.ai/', BROWSER, 'ChatGPT by utm_source'],
  // These assistants are detected by the Android app's package name in the `Referer` header.
  ['/bags', 200, 'android-app://com.openai.chatgpt/', BROWSER, 'ChatGPT by referer'],
  ['/bags', 200, 'android-app://ai.perplexity.app.android', BROWSER, 'Perplexity by referer'],
  // These visits aren't referrals.
  ['/', 200, 'https://duckduckgo.com/', BROWSER, null],
  ['/', 200, 'https://openai.com/', BROWSER, null],
  ['/?utm_source=openai', 200, '-', BROWSER, null],
  ['/', 200, 'https://www.google.com/', BROWSER, null],
  ['/', 200, 'https://x.com/', BROWSER, null],
  ['/', 200, 'android-app://com.google.android.googlequicksearchbox/', BROWSER, null],
  ['/hats?utm_source=chatgpt.com', 200, `https://${HOST}/shoes?utm_source=chatgpt.com`, BROWSER, null],
  ['/shoes.jpg', 200, 'https://chatgpt.com/', BROWSER, null],
  ['/old-shoes', 301, 'https://chatgpt.com/', BROWSER, null],
  ['/shoes', 200, 'https://chatgpt.com/', CHATGPT_USER, null],
  // These visits are by agents.
  ['/shoes', 200, '-', GPTBOT, null],
  ['/hats', 200, '-', GPTBOT, null],
  ['/style.css', 200, '-', GPTBOT, null],
  ['/gone', 404, '-', GPTBOT, null],
  ['/shoes', 200, '-', GOOGLEBOT, null],
];

let app: App;
beforeAll(async () => {
  app = await App.start();
});

const createVisit = (path: string, status: number, referer: string, userAgent: string): object => {
  const text = `198.51.100.4 - - [${logTime()}] "GET ${path} HTTP/1.1" ${status} 512 "${referer}" "${userAgent}"`;
  const parsed = parseLine(text, 'combined');
  if (!('line' in parsed)) throw new Error(parsed.reason);
  const { line } = parsed;
  return {
    request_method: line.method,
    request_path: line.path,
    request_headers: {
      'user-agent': line.userAgent,
      ...(line.referer !== undefined && { referer: line.referer }),
    },
    client_address: line.client,
    response_status_code: line.status,
    created: line.time,
  };
};

function logTime(): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date().toUTCString())!;
  return `${day}/${month}/${year}:${time} +0000`;
}

async function createProject(settings: object): Promise<{ url: string; post: (visits: object[]) => Promise<void> }> {
  const { id } = (await app.api('POST', '/projects', { name: 'Shop', host_names: [HOST], ...settings })).body;
  const { token } = (await app.api('POST', `/projects/${id}/tokens`, {})).body;
  const url = `/projects/${id}`;
  const countVisits = async (): Promise<number> => (await app.api('GET', `${url}/overview`)).body.current.visits;
  return {
    url,
    post: async (visits) => {
      const before = await countVisits();
      expect((await app.post('/visits', visits, { authorization: `Bearer ${token}` })).status).toBe(204);
      await until(async () => (await countVisits()) === before + visits.length, {
        condition: 'the visits are counted',
      });
    },
  };
}

const getReferrals = async (url: string): Promise<Json> => (await app.api('GET', `${url}/referrals`)).body;
const visitsBy = (list: Json[], name: string): Record<string, number> =>
  Object.fromEntries(list.map((row) => [row[name], row.visits]));

it.each(['kept', 'reduced', 'counted'])(
  'counts visitors sent by assistants when unknown visitors are %s',
  async (mode) => {
    const { url, post } = await createProject({ unknown_visitors: mode });
    await post(LOG.map(([path, status, referer, userAgent]) => createVisit(path, status, referer, userAgent)));
    const response = await getReferrals(url);
    expect(visitsBy(response.assistants, 'assistant')).toEqual({
      ChatGPT: 5,
      Perplexity: 3,
      Claude: 2,
      'Duck.ai': 1,
      Gemini: 1,
    });
    expect(response).toMatchObject({
      referrals: 12,
      previous_referrals: 0,
      unknown_visits: 21,
      operators: [
        {
          operator_name: 'OpenAI',
          pages_fetched: 3,
          by_purpose: { training: 2, search: 0, user: 1, other: 0 },
          referrals: 5,
          is_search_engine: false,
        },
        { operator_name: 'Google', pages_fetched: 1, by_purpose: { search: 1 }, referrals: 1, is_search_engine: true },
        { operator_name: 'Perplexity', pages_fetched: 0, referrals: 3 },
        { operator_name: 'Anthropic', referrals: 2 },
        { operator_name: 'DuckDuckGo', referrals: 1 },
      ],
    });
    expect(visitsBy(response.pages, 'path')).toEqual({ '/shoes': 7, '/bags': 2, '/': 2, '/hats': 1 });
    expect(response.pages[0].assistants).toEqual([
      { assistant: 'ChatGPT', visits: 4 },
      { assistant: 'Perplexity', visits: 2 },
      { assistant: 'Claude', visits: 1 },
    ]);
    const inSeries = response.series.reduce((sum: number, { visits }: Json) => sum + visits, 0);
    expect(inSeries).toBe(12);
    const { visits } = (await app.api('GET', `${url}/visits?assistant=ChatGPT&page=/shoes`)).body;
    expect(visits).toHaveLength(mode === 'counted' ? 0 : 4);
    // The `Referer` header itself is stored only if the project stores full visits.
    expect(visits.some(({ visit }: Json) => 'referer' in visit.request_headers)).toBe(mode === 'kept');
  },
);

it('attributes each visit to the right assistant and source', async () => {
  const { url, post } = await createProject({});
  const numbered = LOG.map(([path, ...rest], index) => [
    `${path}${path.includes('?') ? '&' : '?'}line=${index}`,
    ...rest,
  ]);
  await post(
    numbered.map(([path, status, referer, userAgent]) =>
      createVisit(path as string, status as number, referer as string, userAgent as string),
    ),
  );
  const { visits } = (await app.api('GET', `${url}/visits?limit=100`)).body;
  const detectedReferrals = new Map<number, string | null>(
    visits.map(({ visit, referral }: Json) => [
      Number(new URLSearchParams(visit.request_path.split('?')[1]).get('line')),
      referral === undefined ? null : `${referral.assistant} by ${referral.source}`,
    ]),
  );
  expect(LOG.map((_, index) => detectedReferrals.get(index))).toEqual(LOG.map(([, , , , sentBy]) => sentBy));
});

it('applies added, changed, and removed assistants immediately', async () => {
  const { url, post } = await createProject({});
  const sent = (host: string) => createVisit('/', 200, `https://${host}/`, BROWSER);
  const mine = { name: 'Mine', operator: 'Us', hosts: ['chat.mine.example'], query_values: [], android_apps: [] };
  const added = await app.api('POST', '/assistants', mine);
  expect(added).toMatchObject({ status: 201, body: { ...mine, origin: 'own', is_edited: false } });
  await post([sent('chat.mine.example')]);
  expect((await getReferrals(url)).assistants).toMatchObject([{ assistant: 'Mine', operator_name: 'Us', visits: 1 }]);

  expect((await app.api('POST', '/assistants', mine)).status).toBe(409);
  expect((await app.api('POST', '/assistants', { ...mine, name: 'Other' })).body.errors).toEqual([
    { pointer: '/hosts/0', detail: 'already belongs to Mine. Remove it there first' },
  ]);
  expect((await app.api('PUT', '/assistants/mine', { ...mine, name: 'Theirs' })).status).toBe(422);
  expect((await app.api('PUT', '/assistants/nobody', mine)).status).toBe(404);
  const changed = { ...mine, operator: 'We', hosts: ['answers.mine.example'] };
  expect((await app.api('PUT', `/assistants/${added.body.id}`, changed)).body).toMatchObject(changed);
  await post([sent('chat.mine.example'), sent('answers.mine.example')]);
  expect((await getReferrals(url)).assistants).toMatchObject([{ assistant: 'Mine', operator_name: 'We', visits: 2 }]);

  const { assistants } = (await app.api('GET', '/assistants')).body;
  const { id: _, origin: __, is_edited: ___, ...claude } = assistants.find(({ name }: Json) => name === 'Claude');
  expect((await app.api('DELETE', '/assistants/Claude')).status).toBe(409);
  const edited = await app.api('PUT', '/assistants/Claude', { ...claude, query_values: ['claude'] });
  expect(edited.body).toMatchObject({ origin: 'bundled', is_edited: true });
  await post([createVisit('/?utm_source=claude', 200, '-', BROWSER)]);
  expect((await getReferrals(url)).assistants[1]).toMatchObject({ assistant: 'Claude', visits: 1 });
  expect((await app.api('DELETE', '/assistants/Claude')).status).toBe(204);
  expect((await app.api('DELETE', '/assistants/Mine')).status).toBe(204);
  expect((await app.api('DELETE', '/assistants/Mine')).status).toBe(404);
  await post([sent('answers.mine.example'), createVisit('/?utm_source=claude', 200, '-', BROWSER)]);
  // Changing assistants doesn't change existing counts.
  expect((await getReferrals(url)).referrals).toBe(3);
});

it('counts visits for assistants named like built-in object properties', async () => {
  const { url, post } = await createProject({});
  const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
  const mine = { operator: 'Us', query_values: [], android_apps: [] };
  for (const [index, name] of names.entries()) {
    const { status } = await app.api('POST', '/assistants', { ...mine, name, hosts: [`chat${index}.names.example`] });
    expect(status).toBe(201);
  }
  await post(
    names.flatMap((_, index) => Array(3).fill(createVisit('/', 200, `https://chat${index}.names.example/`, BROWSER))),
  );
  const { series } = await getReferrals(url);
  const counted = series.flatMap(({ by_assistant: by }: Json) => Object.entries(by));
  expect(counted).toHaveLength(names.length);
  expect(counted).toEqual(expect.arrayContaining(names.map((name) => [name, 3])));
  for (const name of names) await app.api('DELETE', `/assistants/${name}`);
});

it('assigns a host to only one assistant when requests are concurrent', async () => {
  const mine = { operator: 'Us', hosts: ['wanted.example'], query_values: [], android_apps: [] };
  const names = Array.from({ length: 8 }, (_, index) => `Claims ${index}`);
  const responses = await Promise.all(names.map((name) => app.api('POST', '/assistants', { ...mine, name })));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(422)]);
  const others = await Promise.all(
    names.map(async (_, index) => {
      const other = { ...mine, name: `Changes ${index}`, hosts: [`own${index}.example`] };
      await app.api('POST', '/assistants', other);
      return other;
    }),
  );
  const changes = await Promise.all(
    others.map((other) => app.api('PUT', `/assistants/${other.name}`, { ...other, hosts: ['changed.example'] })),
  );
  expect(changes.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(422)]);
});
