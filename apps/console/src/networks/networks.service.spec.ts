import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAddress } from '#libs/agents';
import { createLogger } from '#libs/platform';
import { Writable } from 'node:stream';
import { createMmdb } from '../../../../test/kit/mmdb.js';
import { NetworkFile } from './network-file.js';
import { NetworksService } from './networks.service.js';

const HOSTING = { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Hosting' };
const CLOUD = { autonomous_system_number: 64_497, autonomous_system_organization: 'Example Cloud' };
const ASN = createMmdb(
  { '192.0.2.0/25': HOSTING, '192.0.2.16/28': CLOUD, '2001:db8::/33': CLOUD },
  { type: 'GeoLite2-ASN' },
);
const COUNTRIES = createMmdb({
  '192.0.2.0/24': { country: { iso_code: 'DE' } },
  '203.0.113.0/24': { country: { iso_code: 'FR' } },
});

let folder: string;
let logged: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'networks-'));
  logged = [];
});
afterEach(() => rm(folder, { recursive: true }));

const logger = createLogger({
  service: 'console',
  level: 'warn',
  pretty: false,
  destination: new Writable({
    write: (chunk: Buffer, _, done) => {
      logged.push((JSON.parse(chunk.toString()) as { msg: string }).msg);
      done();
    },
  }),
});
const writeAtomically = async (name: string, bytes: Buffer | string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(`${path}.new`, bytes);
  await rename(`${path}.new`, path);
  return path;
};
async function startNetworks(files: { asn?: string; geoip?: string }): Promise<NetworksService> {
  const networks = new NetworksService({ ASN_FILE: files.asn, GEOIP_FILE: files.geoip }, logger);
  await networks.onModuleInit();
  await networks.onModuleDestroy();
  return networks;
}
const createFile = (path: string): NetworkFile => new NetworkFile(path, 'ASN_FILE', logger);
const findAsNumber = (file: NetworkFile, text: string): number | null =>
  file.find(parseAddress(text)!)?.as_number ?? null;

describe('NetworksService.find', () => {
  it('combines the operator, the country and the narrowest prefix from both files', async () => {
    const networks = await startNetworks({
      asn: await writeAtomically('asn.mmdb', ASN),
      geoip: await writeAtomically('geo.mmdb', COUNTRIES),
    });
    const hosting = { as_number: 64_496, operator_name: 'Example Hosting', country_code: 'DE' };
    const cloud = { as_number: 64_497, operator_name: 'Example Cloud', country_code: 'DE' };
    expect(networks.find('192.0.2.127')).toEqual({ prefix: '192.0.2.64/26', ...hosting });
    expect(networks.find('192.0.2.31')).toEqual({ prefix: '192.0.2.16/28', ...cloud });
    expect(networks.find('::ffff:192.0.2.31')).toEqual({ prefix: '192.0.2.16/28', ...cloud });
    expect(networks.find('2001:db8:0:1::7')).toEqual({ prefix: '2001:db8::/33', ...cloud, country_code: null });
    const noOperator = { prefix: null, as_number: null, operator_name: null };
    expect(networks.find('192.0.2.200')).toEqual({ ...noOperator, country_code: 'DE' });
    expect(networks.find('203.0.113.9')).toEqual({ ...noOperator, country_code: 'FR' });
    for (const text of ['198.51.100.1', '2001:db8:8000::1', 'somewhere', '192.0.2.1/24', '', null]) {
      expect([text, networks.find(text)]).toEqual([text, null]);
    }
  });

  it('reads a combined network file from either setting', async () => {
    const combinedRecord = { asn: 'AS64496', as_name: 'Example Hosting', country_code: 'NL' };
    const path = await writeAtomically('lite.mmdb', createMmdb({ '192.0.2.0/24': combinedRecord }));
    const expected = {
      prefix: '192.0.2.0/24',
      as_number: 64_496,
      operator_name: 'Example Hosting',
      country_code: 'NL',
    };
    for (const files of [{ asn: path }, { geoip: path }, { asn: path, geoip: path }]) {
      expect((await startNetworks(files)).find('192.0.2.1')).toEqual(expected);
    }
  });

  it('returns null if no files are configured', async () => {
    const networks = await startNetworks({});
    expect([networks.find('192.0.2.1'), networks.states, networks.hasOperators]).toEqual([null, [], false]);
  });

  it("doesn't find IPv6 addresses in an IPv4 file", async () => {
    // The first 32 bits of the IPv6 address equal 192.0.2.0.
    const file = createFile(
      await writeAtomically('asn.mmdb', createMmdb({ '192.0.2.0/24': HOSTING }, { ipVersion: 4 })),
    );
    await file.refresh();
    expect([findAsNumber(file, '192.0.2.1'), findAsNumber(file, 'c000:200::1')]).toEqual([64_496, null]);
  });
});

describe('NetworkFile', () => {
  it("reports a network file's type and build time", async () => {
    const networks = await startNetworks({ asn: await writeAtomically('asn.mmdb', ASN) });
    expect(networks.states).toEqual([
      {
        setting: 'ASN_FILE',
        path: join(folder, 'asn.mmdb'),
        database_type: 'GeoLite2-ASN',
        built_at: '2026-11-01T00:00:00.000Z',
        fault: null,
      },
    ]);
    expect(logged).toEqual([]);
  });

  it('loads a network file that appears or changes, and falls back to the last valid file', async () => {
    const file = createFile(join(folder, 'asn.mmdb'));
    await file.refresh();
    await file.refresh();
    expect(file.state).toMatchObject({ built_at: null, fault: expect.stringContaining('does not exist. Put an MMDB') });
    expect(logged).toEqual([`ASN_FILE: ${file.state.fault}`]);
    await writeAtomically('asn.mmdb', ASN);
    await file.refresh();
    expect([findAsNumber(file, '192.0.2.1'), file.state.fault]).toEqual([64_496, null]);
    await writeAtomically('asn.mmdb', createMmdb({ '192.0.2.0/24': CLOUD }, { builtAt: '2026-11-15T00:00:00Z' }));
    await file.refresh();
    expect([findAsNumber(file, '192.0.2.1'), file.state.built_at]).toEqual([64_497, '2026-11-15T00:00:00.000Z']);
    await writeAtomically('asn.mmdb', 'neither one nor the other');
    await file.refresh();
    expect(file.state.fault).toMatch(/^This is not an MMDB file.* Until then, the previous file stays in use\.$/);
    await rm(join(folder, 'asn.mmdb'));
    await file.refresh();
    expect(file.state.fault).toMatch(/^The file does not exist.* stays in use\.$/);
    expect([findAsNumber(file, '192.0.2.1'), file.state.built_at]).toEqual([64_497, '2026-11-15T00:00:00.000Z']);
    await writeAtomically('asn.mmdb', ASN);
    await file.refresh();
    expect([findAsNumber(file, '192.0.2.1'), file.state.fault]).toEqual([64_496, null]);
    expect(logged).toHaveLength(3);
  });

  it.each([
    ['empty', Buffer.alloc(0), 'not an MMDB file'],
    ['filled with zeros', Buffer.alloc(10_000), 'not an MMDB file'],
    ['compressed', gzipSync(ASN), 'gunzip'],
    ['missing its beginning', ASN.subarray(-250), 'incomplete'],
    ['missing its end', ASN.subarray(0, -100), 'not an MMDB file'],
  ])('rejects a network file that is %s', async (_, bytes, fault) => {
    const file = createFile(await writeAtomically('asn.mmdb', bytes));
    await file.refresh();
    expect(file.state).toMatchObject({ built_at: null, fault: expect.stringContaining(fault) });
    expect(findAsNumber(file, '192.0.2.1')).toBeNull();
  });

  it('rejects a folder instead of a network file', async () => {
    await mkdir(join(folder, 'asn.mmdb'));
    const file = createFile(join(folder, 'asn.mmdb'));
    await file.refresh();
    expect(file.state.fault).toContain('This is a folder');
  });

  it('logs a damaged network file only once, and still finds its intact entries', async () => {
    const bytes = createMmdb({ '192.0.2.0/24': HOSTING, '203.0.113.0/24': CLOUD });
    // Write a data type that the format doesn't define.
    bytes.fill(0, bytes.indexOf('Example Cloud') - 1, bytes.indexOf('Example Cloud') + 13);
    const file = createFile(await writeAtomically('asn.mmdb', bytes));
    await file.refresh();
    expect([
      findAsNumber(file, '203.0.113.1'),
      findAsNumber(file, '203.0.113.2'),
      findAsNumber(file, '192.0.2.1'),
    ]).toEqual([null, null, 64_496]);
    expect(logged).toEqual([expect.stringContaining('The file is damaged')]);
  });
});
