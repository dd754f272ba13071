import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileCatalog, createCatalog, getBundledCatalog } from '#libs/catalog';
import type { AddressListFormat } from '#libs/contracts';
import { addressList } from '../../apps/rules/src/address-list/index.js';
import { ensureCommands, findCommand } from '../stack/packages.ts';
import { WebServer, type ServerKind } from './web-servers.ts';

const run = promisify(execFile);
let folder: string;
const servers: WebServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-traffic-lists-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.dispose()));
});

/** Renders the ranges of all built-in agents and of one at the given range. */
function render(format: AddressListFormat, range: string): string {
  const bundled = getBundledCatalog();
  const agent = { ...bundled.agents[0]!, id: 'local', token: 'Local', verification: { ip_ranges: [range] } };
  const catalog = compileCatalog(createCatalog({ agents: [...bundled.agents, agent], proxies: [] }));
  return addressList([...catalog.byId.values()], format, catalog).text;
}

async function requestFrom(kind: ServerKind, configuration: string, site: string): Promise<number[]> {
  const server = await WebServer.start(kind, configuration, { site });
  servers.push(server);
  return server.requestStatuses(['Any browser']);
}

it.each([
  ['127.0.0.0/8', 403],
  ['192.0.2.0/24', 200],
])('recognizes addresses in nginx and HAProxy if %s is listed', async (range, status) => {
  const map = 'map $listed_agent $agent_traffic_refused { default $listed_agent; }\n';
  expect(await requestFrom('nginx', render('nginx-geo', range) + map, '')).toEqual([status]);
  const file = join(folder, `${status}.lst`);
  await writeFile(file, render('haproxy-addresses', range));
  const rule = `http-request deny deny_status 403 if { src -f ${file} }`;
  expect(await requestFrom('haproxy', '', rule)).toEqual([status]);
});

it('renders sets that nftables accepts', async () => {
  await ensureCommands({ nft: 'nftables' });
  const file = join(folder, 'agents.nft');
  await writeFile(file, render('nftables', '192.0.2.0/24'));
  await expect(run((await findCommand('nft'))!, ['--check', '--file', file])).resolves.toMatchObject({ stderr: '' });
});

it('replaces the ranges of an nftables list that was loaded before', async () => {
  await ensureCommands({ nft: 'nftables' });
  const [first, second] = [join(folder, 'first.nft'), join(folder, 'second.nft')];
  await writeFile(first, render('nftables', '192.0.2.0/24'));
  await writeFile(second, render('nftables', '192.0.0.0/16'));
  const nft = (await findCommand('nft'))!;
  const script = '"$0" -f "$1" && "$0" -f "$2" && "$0" list table inet agent_traffic';
  const { stdout } = await run('unshare', ['--net', 'sh', '-c', script, nft, first, second]);
  expect(stdout).toContain('192.0.0.0/16');
  expect(stdout).not.toContain('192.0.2.0/24');
});
