import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, CREDENTIALS, CREDENTIALS_ENV } from '../kit/client.js';
import { Instance, until } from '../kit/instance.js';
import { WebServer } from '../rules/web-servers.js';
import { installPackages } from '../stack/packages.js';

const NJS_MODULE = '/usr/lib/nginx/modules/ngx_http_js_module.so';
const DOCS_PAGE = join(import.meta.dirname, '../../docs/connect/nginx-mirror.md');

let instance: Instance;
let client: Client;
let folder: string;

beforeAll(async () => {
  await access(NJS_MODULE).catch(() => installPackages(['libnginx-mod-http-js']));
  folder = await mkdtemp(join(tmpdir(), 'agent-traffic-mirror-'));
  instance = await Instance.start({ env: CREDENTIALS_ENV });
  client = new Client({ url: instance.url, ...CREDENTIALS });
});
afterAll(async () => {
  await instance.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Starts nginx with the configuration from the docs page, which reports visits to `address`. */
async function startMirror(address: string): Promise<WebServer> {
  const page = await readFile(DOCS_PAGE, 'utf8');
  const [script, http, site] = [...page.matchAll(/^```(?:js|nginx)\n([\s\S]*?)^```$/gm)].map(([, lines]) =>
    lines!
      .replace('127.0.0.1:3000', new URL(address).host)
      .replace('agt_…', CREDENTIALS.accessToken)
      .replace('/etc/nginx', folder),
  );
  await writeFile(join(folder, 'agent-traffic.js'), script!);
  return WebServer.start('nginx', `map $uri $agent_traffic_refused { default 0; }\n${http}`, {
    site: site!,
    global: `load_module ${NJS_MODULE};`,
  });
}

it('reports each request once, even with unusual header values', async () => {
  const server = await startMirror(instance.url);
  try {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    const lines = [
      'GET /index.html?quote="&back=\\ HTTP/1.1',
      'Host: shop.example',
      'User-Agent: GPTBot/1.2 "quoted" \\ \u00ff\ttab',
      'Signature-Input: sig1=("@authority");keyid="a"',
      'X-Twice: one',
      'X-Twice: two',
      'Cookie: session=secret',
      'Authorization: Bearer secret',
      'Connection: close',
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const [visit] = await until(
      async () => {
        const visits = await client.visits();
        return visits.length > 0 && visits;
      },
      { condition: 'the visit is stored' },
    );
    expect(visit!.visit).toMatchObject({
      request_path: '/index.html?quote="&back=\\',
      request_method: 'GET',
      client_address: '127.0.0.1',
      request_headers: {
        host: 'shop.example',
        'user-agent': expect.stringMatching(/^GPTBot\/1\.2 "quoted" \\ .*\ttab$/),
        'signature-input': 'sig1=("@authority");keyid="a"',
        'x-twice': 'one, two',
      },
    });
    expect(JSON.stringify(visit!.visit)).not.toContain('secret');

    const paths = Array.from({ length: 300 }, (_, index) => `/index.html?${index}`);
    for (let from = 0; from < paths.length; from += 10) {
      const answers = await Promise.all(paths.slice(from, from + 10).map((path) => fetch(server.url + path)));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    }
    const listReportedPaths = async (): Promise<string[]> =>
      (await client.visits()).map((item) => String((item.visit as { request_path: string }).request_path));
    await until(async () => (await listReportedPaths()).length >= 301, { condition: 'all visits are stored' });
    expect((await listReportedPaths()).filter((path) => paths.includes(path)).toSorted()).toEqual(paths.toSorted());
  } finally {
    await server.dispose();
  }
});

it('serves visitors while the instance does not respond', async () => {
  const silentServer = createServer(() => undefined);
  await new Promise<void>((resolve) => silentServer.listen(0, '127.0.0.1', resolve));
  const server = await startMirror(`http://127.0.0.1:${(silentServer.address() as AddressInfo).port}`);
  try {
    const requestStatus = () => fetch(server.url, { headers: { connection: 'close' } }).then(({ status }) => status);
    expect(await Promise.all([requestStatus(), requestStatus(), requestStatus()])).toEqual([200, 200, 200]);
  } finally {
    await server.dispose();
    silentServer.close();
  }
});
