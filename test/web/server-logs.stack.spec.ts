import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createCertificates } from '../kit/https.js';
import { freePort, until } from '../kit/instance.js';
import { ReportReceiver } from '../kit/report-receiver.js';
import { CLI, Listener, RECIPES, LoggingServer, type Recipe, countByPath } from './server-recipes.js';

const REQUESTS = 200;
const HEADERS = {
  'user-agent': 'GPTBot/1.2 "quoted" {text}',
  referer: 'https://a.example/',
  'x-forwarded-for': '198.51.100.9',
  'signature-input': 'sig1=("@authority");keyid="x"',
};

interface Visit {
  request_path: string;
  request_headers: Record<string, string>;
}

interface RecipeRun {
  visits: Visit[];
  /** Exit code and output of the listener, or null without a listener. */
  ended: { code: number | null; output: string } | null;
}

const reports = new ReportReceiver();
/** Runs by recipe. They are started concurrently, because they spend most of their time waiting. */
const runs = new Map<Recipe, Promise<RecipeRun>>();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-logs-'));
  await chmod(folder, 0o755);
  await reports.start();
  for (const name of RECIPES) {
    const recipeRun = runRecipe(name);
    // The test that awaits the run reports the error.
    recipeRun.catch(() => undefined);
    runs.set(name, recipeRun);
  }
});
afterAll(async () => {
  await Promise.allSettled(runs.values());
  await reports.dispose();
  await rm(folder, { recursive: true, force: true });
});

const createEnvironment = (token: string): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  AGENT_TRAFFIC_URL: reports.url,
  AGENT_TRAFFIC_TOKEN: token,
});

async function runRecipe(name: Recipe): Promise<RecipeRun> {
  const token = `agt_${name}`;
  const sender = await LoggingServer.start(name, createEnvironment(token), folder);
  const visits = () => reports.getVisits(token) as Visit[];
  let ended: RecipeRun['ended'];
  try {
    await sender.sendRequests(name, Array(REQUESTS).keys(), HEADERS);
    await until(() => visits().length >= REQUESTS, {
      condition: 'all visits are sent',
      explain: () => `${visits().length}\n${sender.output}`,
    });
  } finally {
    ended = await sender.stop();
  }
  return { visits: visits(), ended };
}

it.each(RECIPES)('%s reports each request once', async (name) => {
  const { visits, ended } = await runs.get(name)!;
  expect([...countByPath(visits)].filter(([, times]) => times !== 1)).toEqual([]);
  expect(visits).toHaveLength(REQUESTS);
  expect(visits[0]).toMatchObject({
    request_method: 'GET',
    request_path: expect.stringMatching(new RegExp(`^/${name}/\\d+$`)),
    client_address: '127.0.0.1',
    response_status_code: expect.any(Number),
    created: expect.any(String),
  });
  const { request_headers: headers } = visits[0]!;
  expect(headers['user-agent']).toBe(HEADERS['user-agent']);
  expect(headers['referer']).toBe(HEADERS.referer);
  // The log file that rsyslog reads is in the combined format, which doesn't contain the other headers.
  if (name !== 'rsyslog') {
    expect(headers['host']).toMatch(/^127\.0\.0\.1(?::\d+)?$|^localhost$/);
    expect(headers['x-forwarded-for']).toBe(HEADERS['x-forwarded-for']);
  }
  if (name === 'nginx' || name === 'Caddy') expect(headers['signature-input']).toBe(HEADERS['signature-input']);
  if (ended !== null) {
    expect(ended.output).toMatch(/Not acknowledged +0\n/);
    expect(ended.output).toMatch(new RegExp(`Visits sent +${REQUESTS}\n`));
    expect(ended.code).toBe(0);
  }
});

it('accepts lines over TLS and reports unacknowledged visits when it stops', async () => {
  const { ca, cert, key } = await createCertificates(['DNS:logs.test']);
  const [certificateFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(certificateFile, cert);
  await writeFile(keyFile, key);
  const listener = await Listener.start(
    `agent-traffic logs listen --syslog-tls 127.0.0.1:5514 --certificate ${certificateFile} --key ${keyFile} --stop-after 1s`,
    {
      PATH: process.env['PATH'] ?? '',
      AGENT_TRAFFIC_URL: `http://127.0.0.1:${await freePort()}`,
      AGENT_TRAFFIC_TOKEN: 'agt_x',
    },
  );
  const socket = connect({
    port: Number(listener.address.split(':')[1]),
    host: '127.0.0.1',
    ca,
    servername: 'logs.test',
  });
  await once(socket, 'secureConnect');
  const line = '<190>Nov 24 02:33:26 nginx: 192.0.2.7 - - [24/Nov/2026:02:33:26 +0000] "GET / HTTP/1.1" 200 2 "-" "-"';
  socket.write(`${line}\n${line.length} ${line}not a line\n`);
  const { code, output } = await listener.stop();
  socket.destroy();
  expect(output).toMatch(/Lines read +3\n/);
  expect(output).toMatch(/Unreadable +1\n/);
  expect(output).toMatch(/Not acknowledged +2\n/);
  expect(code).toBe(1);
});

it('sends all lines read from a pipe before it exits on SIGTERM', async () => {
  const child = spawn(process.execPath, [CLI, 'logs', 'import', '--follow', '-'], {
    env: createEnvironment('agt_pipe'),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const exited = once(child, 'exit');
  const line = (number: number): string =>
    `192.0.2.7 - - [24/Nov/2026:02:33:26 +0000] "GET /${number} HTTP/1.1" 200 2 "-" "-"\n`;
  child.stdin.write(line(0));
  await until(() => reports.getVisits('agt_pipe').length > 0, { condition: 'the first line is sent' });
  child.stdin.write(Array.from({ length: 3_000 }, (_, number) => line(number + 1)).join(''));
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(reports.getVisits('agt_pipe')).toHaveLength(3_001);
});
