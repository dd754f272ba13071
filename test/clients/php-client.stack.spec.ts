import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands, findCommand, installPackages } from '../stack/packages.js';
import { CREDENTIAL_NAMES, CREDENTIAL_PARAMETERS } from './credential-names.js';
import { ScriptedInstance } from './scripted-instance.js';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../libs/client-php');

const instance = new ScriptedInstance();
let php: string;
/** The system's temporary folder of the site. */
let temporary: string;

beforeAll(async () => {
  await ensureCommands({ php: 'php-cli' });
  await run('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).catch(() => installPackages(['php-curl']));
  php = (await findCommand('php'))!;
  await instance.start();
});
beforeEach(async () => {
  instance.reset();
  temporary = await mkdtemp(join(tmpdir(), 'php-client-'));
});
afterEach(() => rm(temporary, { recursive: true, force: true }));
afterAll(() => instance.dispose());

/**
 * Runs lines of PHP that have `$client`, as a request if there is a path; without extensions but those named.
 *
 * @returns what they print and log.
 */
async function runPhp(
  lines: string,
  path?: string,
  extensions: string[] = [],
): Promise<{ printed: string; logged: string }> {
  const program = [
    `require '${FOLDER}/AgentTraffic.php';`,
    path !== undefined && `$_SERVER += ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => ${JSON.stringify(path)}];`,
    '$client = new AgentTraffic\\Client();',
    lines,
  ];
  const env = {
    TMPDIR: temporary,
    AGENT_TRAFFIC_URL: instance.url,
    AGENT_TRAFFIC_TOKEN: 'agt_test',
  };
  const args = [
    '-n',
    ...extensions.flatMap((name) => ['-d', `extension=${name}`]),
    '-d',
    'display_errors=1',
    '-d',
    'html_errors=0',
    '-d',
    'error_reporting=-1',
    '-d',
    'error_log=',
  ];
  const { stdout, stderr } = await run(php, [...args, '-r', program.filter(Boolean).join('\n')], { env });
  return { printed: stdout, logged: stderr };
}

const visit = (path: string) => runPhp('$client->report();', path);
/** The only file with this ending, of those where visits wait. */
async function fileOf(ending: string): Promise<string> {
  const files = (await readdir(temporary, { recursive: true })).filter((name) => name.endsWith(`.${ending}`));
  expect(files).toHaveLength(1);
  return join(temporary, files[0]!);
}
/** Waits until the pause that the instance asked for is over, and sends what waits. */
const FLUSH = '$client->flush();';

it('is sound PHP, with the plugin for WordPress', async () => {
  const plugin = (await readdir(join(FOLDER, 'wordpress'))).filter((name) => name.endsWith('.php'));
  expect(plugin).toContain('agent-traffic.php');
  for (const file of ['AgentTraffic.php', ...plugin.map((name) => `wordpress/${name}`)]) {
    await run(php, ['-l', join(FOLDER, file)]);
  }
});

it('takes the names for credentials that the gateway does', async () => {
  const names = JSON.stringify(JSON.stringify(CREDENTIAL_NAMES.map(([name]) => name))).replaceAll('$', '\\$');
  const { printed } = await runPhp(
    `echo json_encode(array_map(fn ($name) => [$name, $client->isCredentialName($name)], json_decode(${names})));`,
  );
  expect(JSON.parse(printed)).toEqual(CREDENTIAL_NAMES);
  const parameters = JSON.stringify(JSON.stringify(CREDENTIAL_PARAMETERS.map(([name]) => name)));
  const judged = await runPhp(
    `echo json_encode(array_map(fn ($name) => [$name, $client->isCredentialParameter($name)], json_decode(${parameters})));`,
  );
  expect(JSON.parse(judged.printed)).toEqual(CREDENTIAL_PARAMETERS);
});

it('reports a request behind all that the site does at its end, and redacts credentials', async () => {
  const headers = {
    HTTP_USER_AGENT: 'GPTBot/1.2',
    HTTP_AUTHORIZATION: 'Basic eA==',
    HTTP_SIGNATURE_INPUT: 'sig1=("@authority");nonce="n?"',
    HTTP_REFERER: 'https://a.example/?token=abc&page=2',
    CONTENT_TYPE: 'text/plain',
    REMOTE_ADDR: 'fe80::1%eth0',
  };
  const site = `$_SERVER += json_decode('${JSON.stringify(headers)}', true);
$client->report();
register_shutdown_function(fn () => print('at its end'));
echo 'page, ';`;
  const { printed, logged } = await runPhp(site, '/cb?code=abc&page=2');
  expect([printed, logged]).toEqual(['page, at its end', '']);
  expect(instance.requests).toMatchObject([
    {
      path: '/visits',
      headers: { authorization: 'Bearer agt_test' },
      body: [
        {
          request_path: '/cb?code=[redacted]&page=2',
          request_method: 'GET',
          request_headers: {
            'user-agent': 'GPTBot/1.2',
            authorization: '[redacted]',
            'signature-input': headers.HTTP_SIGNATURE_INPUT,
            referer: 'https://a.example/?token=[redacted]&page=2',
            'content-type': 'text/plain',
          },
          client_address: 'fe80::1',
          response_status_code: 200,
          response_headers: { 'content-type': expect.stringMatching(/^text\/html/) },
          response_duration_in_milliseconds: expect.any(Number),
          created: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        },
      ],
    },
  ]);
});

it('keeps visits while the instance is away, and sends them in batches afterwards, each under its key', async () => {
  instance.script.push({ status: 503, headers: { 'retry-after': '1' } }, { status: 503 });
  const { logged } = await visit('/0');
  expect(logged).toContain('visits could not be sent, and will be tried again: 503');
  // Within the pause, nobody asks.
  const requests = `for ($i = 1; $i < 120; $i++) {
    $_SERVER["REQUEST_URI"] = "/$i";
    $client->report();
    unset($_SERVER['AGENT_TRAFFIC_REPORTED']);
  }`;
  await runPhp(requests, '/');
  expect(instance.requests).toHaveLength(1);
  await runPhp(FLUSH);
  expect(instance.batches.map(({ length }) => length)).toEqual([1, 1, 1, 50, 50, 19]);
  expect(new Set(instance.batches.flat()).size).toBe(120);
  expect(new Set(instance.keys).size).toBe(4);
  const [folder] = await readdir(temporary);
  expect((await stat(join(temporary, folder!))).mode & 0o777).toBe(0o700);
});

it('sends a batch under the same key after the sender died before it could note what it sent', async () => {
  instance.script.push({ status: 503 });
  await visit('/a');
  const sending = await fileOf('sending');
  const lines = await readFile(sending);
  await runPhp(FLUSH);
  await writeFile(sending, lines);
  await runPhp(FLUSH);
  expect(instance.batches).toEqual([['/a'], ['/a'], ['/a']]);
  expect(new Set(instance.keys).size).toBe(1);
});

it('sends all of a file although the sender died when it had removed the one before', async () => {
  instance.script.push({ status: 503 });
  await visit('/a');
  const sending = await fileOf('sending');
  await runPhp(FLUSH);
  await writeFile(sending.replace(/sending$/, 'sent'), '1000');
  await visit('/b');
  expect(instance.batches).toEqual([['/a'], ['/a'], ['/b']]);
});

it('halves what is too large, drops what is refused for good and half a line of a full disk, and says so', async () => {
  instance.script.push({ status: 503 });
  await visit('/a');
  const line = (path: string) => `${JSON.stringify({ request_path: path })}\n`;
  await writeFile(await fileOf('sending'), `${['a', 'b', 'c'].map(line).join('')}{"request_pa${line('d')}`);
  instance.reset();
  instance.script.push({ status: 413 }, { status: 204 }, { status: 401, body: 'No such token.' });
  const { logged } = await runPhp(FLUSH);
  expect(instance.batches).toEqual([['a', 'b', 'c'], ['a', 'b'], ['c']]);
  expect(logged).toContain('visits were dropped: 401 No such token.');
});

it('never ends a page: not by a site’s own handler of warnings, nor without a folder or an instance', async () => {
  await writeFile(join(temporary, 'file'), '');
  instance.script.push({ status: 500 });
  const { printed, logged } = await runPhp(
    `set_error_handler(function ($code, $text) { throw new ErrorException($text); });
$client = new AgentTraffic\\Client('', '', '${temporary}/file');
$client->report();
$away = new AgentTraffic\\Client('http://127.0.0.1:1', 'agt_test');
$away->report();
echo $away->robotsTxt(['Scraper']), json_encode($away->tokens(['Scraper'])), json_encode($away->refuses(['Scraper'])), 'page';`,
    '/',
  );
  expect(printed).toBe('[]falsepage');
  expect(logged).toContain('no answer from http://127.0.0.1:1');
  expect(instance.batches).toEqual([['/']]);
});

it.each([['streams'], ['curl', 'curl']])('asks by %s, and says what went wrong', async (_, ...extensions) => {
  instance.script.push(
    { status: 200, body: '{"result":"verified"}' },
    { status: 503, headers: { 'retry-after': '7' }, body: 'Later.' },
    { status: 307, headers: { location: `${instance.url}/elsewhere` } },
  );
  const { printed, logged } = await runPhp(
    `$question = ['request_headers' => ['user-agent' => str_repeat('a', 2_000)]];
echo json_encode($client->identify($question));
foreach ([$client, $client, new AgentTraffic\\Client('http://127.0.0.1:1', 'agt_test')] as $asked) {
  try { $asked->identify($question); } catch (AgentTraffic\\Failure $failure) {
    echo "\\n", $failure->getMessage(), '; ', $failure->getCode(), '; ', $failure->retryAfter;
  }
}`,
    undefined,
    extensions,
  );
  expect(printed.split('\n')).toEqual([
    '{"result":"verified"}',
    '503 Later.; 503; 7',
    '307 ; 307; ',
    'no answer from http://127.0.0.1:1; 0; ',
  ]);
  expect(logged).toBe('');
  expect(instance.requests).toHaveLength(3);
  expect(instance.requests[0]!.headers).toMatchObject({ 'content-encoding': 'gzip', authorization: 'Bearer agt_test' });
});

it('keeps rules, and fetches new ones after the response', async () => {
  instance.script.push({ status: 200, body: 'one' }, { status: 200, body: 'two' });
  const read = `echo $client->robotsTxt(['Scraper'], ['disallow' => '/x'], MAX_AGE), ' ';`;
  const fresh = read.replace('MAX_AGE', '3600');
  expect((await runPhp(fresh + fresh)).printed).toBe('one one ');
  // A time that has passed: what was fetched within the last seconds is not fetched again.
  const old = `foreach (glob('${temporary}/*/*.rules') as $file) {
    file_put_contents($file, json_encode(['fetched_at' => 1, 'value' => 'one']));
  }`;
  expect((await runPhp(`${old}${fresh}`)).printed).toBe('one ');
  expect((await runPhp(fresh)).printed).toBe('two ');
  expect(instance.requests.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ agent_types: ['Scraper'], disallow: '/x' })),
  );
});

it('refuses agents of the types unless they are verified', async () => {
  const body = (result: string) => JSON.stringify({ result, agent_type_name: 'Scraper' });
  instance.script.push(
    ...['not_verifiable', 'verified', 'not_verifiable'].map((result) => ({ status: 200, body: body(result) })),
  );
  const { printed } = await runPhp(
    `foreach ([['Scraper'], ['Scraper'], ['AI Agent']] as $types) echo json_encode($client->refuses($types)), ' ';
$_SERVER['REQUEST_URI'] = '/robots.txt';
echo json_encode($client->refuses(['Scraper'])), ' ';
try { $client->identify([['request_headers' => new stdClass()]]); } catch (AgentTraffic\\Failure $failure) { echo $failure->getMessage(); }
$client->block(['Scraper']);
echo ', not refused';`,
    '/a?token=x',
  );
  expect(printed).toBe(`true false false false ${instance.url} did not answer with JSON, not refused`);
  // The path is not redacted: a signature may cover it.
  expect(instance.requests[0]).toMatchObject({ path: '/agent-verifications', body: { request_path: '/a?token=x' } });
});

/** Requests of visitors behind a proxy, to a site that refuses scrapers. */
const VISITORS = `$refuses = function (string $address, string $path = '/', array $headers = []) use ($client): bool {
  $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => $path, 'REMOTE_ADDR' => '127.0.0.1',
    'HTTP_USER_AGENT' => 'a', 'HTTP_X_FORWARDED_FOR' => $address] + $headers;
  return $client->refuses(['Scraper'], timeout: 5);
};
`;
const SCRAPER = { status: 200, body: '{"result":"not_verifiable","agent_type_name":"Scraper"}' };

it.each([
  ['an address', '192.0.2.1', 503],
  ['forged addresses', '203.0.113.$number, 192.0.2.1', 500],
  ['a network of IPv6', '2001:db8:7:$number::1', 502],
  ['requests that are refused', '192.0.2.$number', 422],
  ['requests over a rate limit', '192.0.2.$number', 429],
])('lets only the requests pass that fail for %s', async (_, address, status) => {
  instance.script.push(...Array.from({ length: 20 }, () => ({ status })), SCRAPER);
  const { printed } = await runPhp(`${VISITORS}
for ($number = 0; $number < 20; $number++) echo (int) $refuses("${address}");
echo (int) $refuses('192.0.2.99');`);
  expect(printed).toBe(`${'0'.repeat(20)}1`);
});

it('stops asking after failures of five visitors without a success in between, in all processes', async () => {
  const down = { status: 503 };
  instance.script.push(down, down, down, down, SCRAPER, down, down, down, down, down);
  const visits = (from: number) => `${VISITORS}
for ($number = ${from}; $number < ${from} + 4; $number++) echo (int) $refuses("192.0.2.$number");`;
  const printed: string[] = [];
  for (const from of [0, 4, 8, 12]) printed.push((await runPhp(visits(from))).printed);
  expect(printed).toEqual(['0000', '1000', '0000', '0000']);
  expect(instance.requests).toHaveLength(10);
});

it('asks within the limits of the instance, and says how long it waits', async () => {
  instance.script.push(SCRAPER);
  await runPhp(`${VISITORS}
$many = [];
for ($number = 0; $number < 500; $number++) $many["HTTP_X_$number"] = 'a';
$refuses('192.0.2.1', '/' . str_repeat('a', 9000), $many + ['HTTP_VIA' => str_repeat('v', 20000)]);`);
  const { body: asked, headers } = instance.requests[0]!;
  const body = asked as { request_path: string; request_headers: Record<string, string> };
  expect(body.request_path).toHaveLength(8_192);
  expect(Object.keys(body.request_headers)).toHaveLength(200);
  expect(body.request_headers).toMatchObject({ 'user-agent': 'a', 'x-forwarded-for': '192.0.2.1' });
  expect(body.request_headers['via']).toHaveLength(8_192);
  expect(headers).toMatchObject({ 'agent-traffic-timeout-ms': '5000' });
});

it('reports a request once for clients of a project, and to each project', async () => {
  await runPhp(
    `$client->report();
$client->report();
(new AgentTraffic\\Client())->report();
(new AgentTraffic\\Client(token: 'agt_other'))->report();`,
    '/a',
  );
  expect(instance.requests.map(({ headers }) => headers.authorization).toSorted()).toEqual([
    'Bearer agt_other',
    'Bearer agt_test',
  ]);
  expect(instance.batches).toEqual([['/a'], ['/a']]);
});

it('waits less for an instance that is down than its server for a process', async () => {
  instance.script.push({ status: 503 }, { status: 204, delayMs: 60_000 });
  await visit('/a');
  const started = performance.now();
  const { logged } = await runPhp('$client->flush(2);');
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(logged).toBe('');
  expect(instance.requests).toHaveLength(2);
});
