import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCommands, findCommand, installPackages } from '../stack/packages.js';
import { CREDENTIAL_NAMES, CREDENTIAL_PARAMETERS } from './credential-names.js';
import { REDACTED_HEADER_VALUES, REDACTED_PATHS, REDACTED_PAYMENTS } from './redaction-cases.js';
import { ScriptedInstance } from './scripted-instance.js';

const run = promisify(execFile);
const FOLDER = join(import.meta.dirname, '../../libs/client-php');

const instance = new ScriptedInstance();
let php: string;
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
 * Runs PHP code that can use `$client`. If a path is given, the code runs as a request. Loads only the given
 * extensions.
 *
 * @returns stdout and stderr
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
/** Finds the queue file with the given extension. Fails unless there's exactly one. */
async function findQueueFile(ending: string): Promise<string> {
  const files = (await readdir(temporary, { recursive: true })).filter((name) => name.endsWith(`.${ending}`));
  expect(files).toHaveLength(1);
  return join(temporary, files[0]!);
}
/** PHP code that waits until the pause requested by the instance is over, then sends queued visits. */
const FLUSH = '$client->flush();';

it('has valid PHP syntax, including the WordPress plugin', async () => {
  const plugin = (await readdir(join(FOLDER, 'wordpress'))).filter((name) => name.endsWith('.php'));
  expect(plugin).toContain('agent-traffic.php');
  for (const file of ['AgentTraffic.php', ...plugin.map((name) => `wordpress/${name}`)]) {
    await run(php, ['-l', join(FOLDER, file)]);
  }
});

it('detects the same credential names as the gateway', async () => {
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

it('redacts payments like the other clients', async () => {
  for (const [name, value, redacted] of REDACTED_PAYMENTS) {
    instance.script.push({ status: 200, body: '[]' });
    await runPhp(`$client->identify(['request_headers' => ['${name}' => '${value}']]);`);
    expect(instance.requests.at(-1)!.body).toEqual({ request_headers: { [name]: redacted } });
  }
});

it('redacts paths and header values like the other clients', async () => {
  const [values, redactedValues] = [0, 1].map((index) =>
    Object.fromEntries(REDACTED_HEADER_VALUES.map((value, number) => [`x-${number}`, value[index]])),
  );
  instance.script.push({ status: 200, body: '[]' });
  await runPhp(`$client->identify(['request_headers' => json_decode('${JSON.stringify(values)}', true)]);`);
  expect(instance.requests[0]!.body).toEqual({ request_headers: redactedValues });
  instance.reset();
  const paths = JSON.stringify(REDACTED_PATHS.map(([path]) => path));
  await runPhp(
    `foreach (json_decode('${paths}') as $_SERVER['REQUEST_URI']) {
  $client->report();
  unset($_SERVER['AGENT_TRAFFIC_REPORTED']);
}`,
    '/',
  );
  await runPhp(FLUSH);
  expect(instance.batches.flat()).toEqual(REDACTED_PATHS.map(([, redacted]) => redacted));
});

it("reports a request after the site's shutdown functions and redacts credentials", async () => {
  const headers = {
    HTTP_USER_AGENT: 'GPTBot/1.2; token=abc',
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
            'user-agent': 'GPTBot/1.2; token=abc',
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

it('identifies and verifies requests without sending their credentials', async () => {
  instance.script.push(...Array.from({ length: 3 }, () => ({ status: 200, body: '[]' })));
  const headers = {
    Authorization: 'Basic eA==',
    cookie: ['a=1', 'b=2'],
    'X-Tenant': 'y',
    'signature-input': 'sig1=("@authority");nonce="n?";keyid="k"',
    referer: 'https://a.example/?token=abc&page=2',
    'user-agent': 'GPTBot/1.2; token=abc',
    'content-length': 5,
  };
  const request = {
    id: '1',
    client_address: '192.0.2.7',
    request_path: '/a?token=abc',
    request_method: 'GET',
    request_headers: headers,
  };
  await runPhp(
    `$client = new AgentTraffic\\Client(redact: ['x_tenant']);
$request = json_decode('${JSON.stringify(request)}', true);
$client->identify($request);
$client->identify([$request]);
$client->verify($request);`,
  );
  const item = {
    id: '1',
    client_address: '192.0.2.7',
    request_headers: {
      ...headers,
      Authorization: '[redacted]',
      cookie: '[redacted]',
      'X-Tenant': '[redacted]',
      referer: 'https://a.example/?token=[redacted]&page=2',
    },
  };
  expect(instance.requests.map(({ path, body }) => [path, body])).toEqual([
    ['/agent-identifications', item],
    ['/agent-identifications', [item]],
    ['/agent-verifications', { ...item, request_path: '/a?token=abc' }],
  ]);
});

it('queues visits while the instance is down, then sends them in batches with unique keys', async () => {
  instance.script.push({ status: 503, headers: { 'retry-after': '1' } }, { status: 503 });
  const { logged } = await visit('/0');
  expect(logged).toContain('visits are queued because the instance is unavailable: POST /visits returned 503');
  // No requests are sent during the pause.
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

it('resends a batch with the same key if the sender died before recording it as sent', async () => {
  instance.script.push({ status: 503 });
  await visit('/a');
  const sending = await findQueueFile('sending');
  const lines = await readFile(sending);
  await runPhp(FLUSH);
  await writeFile(sending, lines);
  await runPhp(FLUSH);
  expect(instance.batches).toEqual([['/a'], ['/a'], ['/a']]);
  expect(new Set(instance.keys).size).toBe(1);
});

it('sends an entire queue file despite a leftover offset from a removed file', async () => {
  instance.script.push({ status: 503 });
  await visit('/a');
  const sending = await findQueueFile('sending');
  await runPhp(FLUSH);
  await writeFile(sending.replace(/sending$/, 'sent'), '1000');
  await visit('/b');
  expect(instance.batches).toEqual([['/a'], ['/a'], ['/b']]);
});

/** Queues visits to the given paths, and another one that was truncated because the disk was full. */
async function queueVisits(...paths: string[]): Promise<void> {
  instance.script.push({ status: 503 });
  await visit('/a');
  const lines = paths.map((path) => `${JSON.stringify({ request_path: path })}\n`);
  await writeFile(await findQueueFile('sending'), `${lines.join('')}{"request_pa${lines[0]}`);
  instance.reset();
}

it('splits batches that are too large, and drops rejected visits and truncated lines', async () => {
  await queueVisits('a', 'b', 'c');
  instance.script.push({ status: 413 }, { status: 204 }, { status: 401, body: 'No such token.' });
  const { logged } = await runPhp(FLUSH);
  expect(instance.batches).toEqual([['a', 'b', 'c'], ['a', 'b'], ['c']]);
  expect(logged).toContain('dropped 1 visit: POST /visits returned 401: No such token.');
});

it('sends the second half of a split batch if the first half is rejected, and retries both after an outage', async () => {
  await queueVisits('a', 'b', 'c');
  const [tooLarge, rejected] = [{ status: 413 }, { status: 422, body: 'Invalid.' }];
  instance.script.push(tooLarge, rejected, { status: 503 }, tooLarge, rejected);
  const { logged } = await runPhp(FLUSH);
  const requests = [['a', 'b', 'c'], ['a', 'b'], ['c']];
  expect(instance.batches).toEqual([...requests, ...requests]);
  expect(new Set(instance.keys).size).toBe(3);
  expect(logged.match(/dropped .*/g)).toEqual(['dropped 2 visits: POST /visits returned 422: Invalid.']);
});

it('never breaks a page, even with a throwing error handler and no folder or instance', async () => {
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
  expect(logged).toContain('POST http://127.0.0.1:1/robots-txts failed: no response');
  expect(instance.batches).toEqual([['/']]);
});

it.each([['streams'], ['curl', 'curl']])(
  'sends requests with %s and throws detailed errors',
  async (_, ...extensions) => {
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
      'POST /agent-identifications returned 503: Later.; 503; 7',
      'POST /agent-identifications returned 307; 307; ',
      'POST http://127.0.0.1:1/agent-identifications failed: no response; 0; ',
    ]);
    expect(logged).toBe('');
    expect(instance.requests).toHaveLength(3);
    expect(instance.requests[0]!.headers).toMatchObject({
      'content-encoding': 'gzip',
      authorization: 'Bearer agt_test',
    });
  },
);

it('caches rules and refreshes them after the response', async () => {
  instance.script.push({ status: 200, body: 'one' }, { status: 200, body: 'two' });
  const read = `echo $client->robotsTxt(['Scraper'], ['disallow' => '/x'], MAX_AGE), ' ';`;
  const fresh = read.replace('MAX_AGE', '3600');
  expect((await runPhp(fresh + fresh)).printed).toBe('one one ');
  // Make the cached rules old enough to be fetched again.
  const old = `foreach (glob('${temporary}/*/*.rules') as $file) {
    file_put_contents($file, json_encode(['fetched_at' => 1, 'value' => 'one']));
  }`;
  expect((await runPhp(`${old}${fresh}`)).printed).toBe('one ');
  expect((await runPhp(fresh)).printed).toBe('two ');
  expect(instance.requests.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ agent_types: ['Scraper'], disallow: '/x' })),
  );
});

it('blocks unverified agents of the given types', async () => {
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
echo ', not blocked';`,
    '/a?token=x',
  );
  expect(printed).toBe(
    `true false false false POST ${instance.url}/agent-identifications returned invalid JSON, not blocked`,
  );
  // The path isn't redacted, because a signature may cover it.
  expect(instance.requests[0]).toMatchObject({ path: '/agent-verifications', body: { request_path: '/a?token=x' } });
});

/** PHP helper for requests from visitors behind a proxy to a site that blocks scrapers. */
const VISITORS = `$refuses = function (string $address, string $path = '/', array $headers = []) use ($client): bool {
  $_SERVER = ['REQUEST_METHOD' => 'GET', 'REQUEST_URI' => $path, 'REMOTE_ADDR' => '127.0.0.1',
    'HTTP_USER_AGENT' => 'a', 'HTTP_X_FORWARDED_FOR' => $address] + $headers;
  return $client->refuses(['Scraper'], timeout: 5);
};
`;
const SCRAPER = { status: 200, body: '{"result":"not_verifiable","agent_type_name":"Scraper"}' };

/** Returns arguments of `$refuses` for a visitor with this `Forwarded` header. */
const forwarded = (value: string): string => `"", headers: ["HTTP_FORWARDED" => "${value}"]`;

it.each([
  ['an address', '"192.0.2.1"', 0],
  ['forged addresses', '"203.0.113.$number, 192.0.2.1"', 0],
  ['an IPv6 network', '"2001:db8:7:$number::1"', 0],
  ['an address with different ports', '"192.0.2.1:$number"', 0],
  ['an address in Forwarded with different ports', forwarded('for=\\"[2001:db8:7::1]:$number\\"'), 0],
  ['an address in Forwarded with other parameters', forwarded('host=$number.test;For=192.0.2.1;by=_a'), 0],
  ['forged elements of Forwarded', forwarded('for=203.0.113.$number, for=192.0.2.1;proto=https'), 0],
  ['an address in X-Real-IP', '"", headers: ["HTTP_FORWARDED" => "by=_$number", "HTTP_X_REAL_IP" => "192.0.2.1"]', 0],
  ['requests with errors', '"192.0.2.$number"', 503],
  ['rejected requests', '"192.0.2.$number"', 422],
  ['rate-limited requests', '"192.0.2.$number"', 429],
])('continues to block agents after failures for %s', async (_, visitor, status) => {
  instance.script.push(...Array.from({ length: 20 }, () => ({ status })), SCRAPER);
  const { printed } = await runPhp(`${VISITORS}
for ($number = 0; $number < 20; $number++) echo (int) $refuses(${visitor});
echo (int) $refuses('192.0.2.99');`);
  expect(printed).toBe(`${'0'.repeat(20)}1`);
});

it('distinguishes visitors by the last address in Forwarded', async () => {
  instance.script.push(...Array.from({ length: 10 }, () => ({ status: 0 })));
  await runPhp(`${VISITORS}
for ($number = 0; $number < 10; $number++)
  $refuses(${forwarded('for=203.0.113.1, for=192.0.2.$number;proto=https')});`);
  expect(instance.requests).toHaveLength(5);
});

it('stops sending requests in all processes after failures for five visitors in a row', async () => {
  const down = { status: 0 };
  instance.script.push(down, down, down, down, SCRAPER, down, down, down, down, down);
  const visits = (from: number) => `${VISITORS}
for ($number = ${from}; $number < ${from} + 4; $number++) echo (int) $refuses("192.0.2.$number");`;
  const printed: string[] = [];
  for (const from of [0, 4, 8, 12]) printed.push((await runPhp(visits(from))).printed);
  expect(printed).toEqual(['0000', '1000', '0000', '0000']);
  expect(instance.requests).toHaveLength(10);
});

it("limits the size of requests to the instance's maximum, and sends the client's timeout", async () => {
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

it('reports a request once per project', async () => {
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

it('limits how long flush waits for an unresponsive instance', async () => {
  instance.script.push({ status: 503 }, { status: 204, delayMs: 60_000 });
  await visit('/a');
  const started = performance.now();
  const { logged } = await runPhp('$client->flush(2);');
  expect(performance.now() - started).toBeLessThan(20_000);
  expect(logged).toBe('');
  expect(instance.requests).toHaveLength(2);
});
