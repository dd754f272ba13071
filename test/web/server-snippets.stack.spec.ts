import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LogParser, type LogLine } from '#libs/access-log';
import { phpParts, pythonParts, SERVER_LOGS, SERVER_PARTS } from '../../apps/web/src/pages/get-started/snippets.js';
import { freePort, until } from '../kit/instance.js';
import { ReportReceiver } from '../kit/report-receiver.js';
import { WebServer, type ServerKind } from '../rules/web-servers.js';
import { ensureCommands, findCommand } from '../stack/packages.js';

const run = promisify(execFile);
const REQUEST_OPTIONS = {
  headers: { 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '198.51.100.9', referer: 'https://a.example/' },
};

const reports = new ReportReceiver();
const children: ChildProcess[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-snippet-'));
  // Web server workers write to this folder as another user.
  await chmod(folder, 0o777);
  await reports.start();
});
afterAll(async () => {
  for (const child of children) child.kill();
  await reports.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the configuration that the page shows, with a different log path. */
const getConfiguration = (server: keyof typeof SERVER_PARTS, log: string): string[] =>
  SERVER_PARTS[server].map(({ text }) => text.replace(SERVER_LOGS[server], log));

/** Splits each configuration into the parts that `WebServer` expects, and adds directives that it requires. */
const SERVERS: [keyof typeof SERVER_PARTS, ServerKind, (parts: string[]) => [part: string, site: string]][] = [
  ['nginx', 'nginx', ([format, log]) => [`map $uri $agent_traffic_refused { default 0; }\n${format}`, log!]],
  ['caddy', 'caddy', ([log]) => ['# nothing', log!]],
  ['apache', 'apache', ([log]) => ['', log!]],
];

it.each(SERVERS)('configures %s to log every field that the importer reads', async (name, kind, arrangeParts) => {
  const log = join(folder, `${name}.log`);
  const [part, site] = arrangeParts(getConfiguration(name, log));
  const server = await WebServer.start(kind, part, { site });
  try {
    expect((await fetch(`${server.url}/index.html?a=b`, REQUEST_OPTIONS)).status).toBe(200);
    expect((await fetch(`${server.url}/nowhere`, REQUEST_OPTIONS)).status).toBe(404);
    const lines = await until(
      async () => {
        const text = await readFile(log, 'latin1').catch(() => '');
        const complete = text.split('\n').slice(0, -1);
        return complete.length >= 2 && complete;
      },
      { condition: 'both requests are logged' },
    );
    const parser = new LogParser();
    const parsedLines = lines.map((line) => (parser.read(line) as { line: LogLine }).line);
    // Sort the lines, because the order of lines from different workers varies.
    const [found, missing] = parsedLines.toSorted((one, other) => one.status! - other.status!);
    expect(found).toMatchObject({
      client: '127.0.0.1',
      host: expect.stringMatching(/^(127\.0\.0\.1|localhost)/),
      method: 'GET',
      path: '/index.html?a=b',
      status: 200,
      size: 2,
      userAgent: 'GPTBot/1.2',
    });
    const { forwardedFor, referer, headers } = found!;
    expect(forwardedFor ?? headers?.['x-forwarded-for']).toBe('198.51.100.9');
    expect(referer ?? headers?.['referer']).toBe('https://a.example/');
    expect(missing).toMatchObject({ path: '/nowhere', status: 404 });
  } finally {
    await server.dispose();
  }
});

async function startServer(command: string, args: string[], port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  children.push(spawn(command, args, { cwd: folder, stdio: 'ignore' }));
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    { condition: `${command} responds` },
  );
  return url;
}

const expected = {
  request_path: '/tea?cups=2',
  request_method: 'GET',
  client_address: '127.0.0.1',
  response_status_code: 418,
};

it('reports each visit to a WSGI server with the Python snippet', async () => {
  await ensureCommands({ python3: 'python3' });
  const [module, use] = pythonParts({ address: reports.url, token: 'agt_python' });
  await writeFile(join(folder, 'agent_traffic.py'), module!.text);
  const port = await freePort();
  await writeFile(
    join(folder, 'teapot.py'),
    `from wsgiref.simple_server import make_server

def application(environ, start_response):
    start_response('418 I am a teapot', [('Content-Type', 'text/plain')])
    return [b'short and stout']

${use!.text}
make_server('127.0.0.1', ${port}, application).serve_forever()
`,
  );
  const python = (await findCommand('python3'))!;
  const url = await startServer(python, ['teapot.py'], port);
  expect((await fetch(`${url}/tea?cups=2`, REQUEST_OPTIONS)).status).toBe(418);
  const isReported = () => {
    const report = reports.getLastVisit('agt_python') as { request_path: string } | undefined;
    return report?.request_path === '/tea?cups=2' && report;
  };
  expect(await until(isReported, { condition: 'the visit is reported' })).toMatchObject({
    ...expected,
    request_headers: { 'user-agent': 'GPTBot/1.2', 'x-forwarded-for': '198.51.100.9' },
    response_headers: { 'Content-Type': 'text/plain' },
  });
});

it('reports each visit with the PHP snippet', async () => {
  await ensureCommands({ php: 'php-cli' });
  const [file] = phpParts({ address: reports.url, token: 'agt_php' });
  await writeFile(join(folder, 'agent-traffic.php'), file!.text);
  await mkdir(join(folder, 'served'));
  await writeFile(join(folder, 'served/index.php'), '<?php http_response_code(418); echo "short and stout";');
  const php = (await findCommand('php'))!;
  await run(php, ['-l', join(folder, 'agent-traffic.php')]);
  const port = await freePort();
  const prepend = `auto_prepend_file=${join(folder, 'agent-traffic.php')}`;
  const url = await startServer(php, ['-d', prepend, '-S', `127.0.0.1:${port}`, '-t', 'served'], port);
  expect((await fetch(`${url}/tea?cups=2`, REQUEST_OPTIONS)).status).toBe(418);
  const isReported = () => {
    const report = reports.getLastVisit('agt_php') as { request_path: string } | undefined;
    return report?.request_path === '/tea?cups=2' && report;
  };
  expect(await until(isReported, { condition: 'the visit is reported' })).toMatchObject(expected);
});
