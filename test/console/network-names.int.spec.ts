import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { agentId } from '#libs/catalog';
import {
  TimelineVisitSchema,
  validator,
  VerificationOverviewSchema,
  VisitingAgentSchema,
  type ClientNetwork,
} from '#libs/contracts';
import { App, type Json } from '../kit/app.js';
import { Client } from '../kit/client.js';
import { until } from '../kit/instance.js';
import { createMmdb } from '../kit/mmdb.js';
import { storeVisits, type StoredVisit } from '../kit/stored-visits.js';
import { StreamReader } from '../kit/stream.js';

const NOW = Date.parse('2026-11-21T08:31:05Z');
const RANGE = 'from=2026-11-20&to=2026-11-21T09:00:00Z';
const HOSTING = { autonomous_system_number: 64_496, autonomous_system_organization: '=Example, Hosting' };
const CLOUD = { autonomous_system_number: 64_497, autonomous_system_organization: 'Example Cloud' };
const OPERATORS = { '192.0.2.0/25': HOSTING, '198.51.100.0/26': HOSTING, '2001:db8::/32': CLOUD };
const COUNTRIES = createMmdb(
  Object.fromEntries(
    Object.entries({ '192.0.2.0/24': 'DE', '198.51.100.0/24': 'FR', '203.0.113.0/24': 'NL' }).map(([cidr, code]) => [
      cidr,
      { country: { iso_code: code } },
    ]),
  ),
);
const network = (prefix: string | null, record: typeof HOSTING | null, country: string | null): ClientNetwork => ({
  prefix,
  as_number: record?.autonomous_system_number ?? null,
  operator_name: record?.autonomous_system_organization ?? null,
  country_code: country,
});
const NETWORKS: Record<string, ClientNetwork | null> = {
  '192.0.2.7': network('192.0.2.0/25', HOSTING, 'DE'),
  '198.51.100.7': network('198.51.100.0/26', HOSTING, 'FR'),
  '198.51.100.8': network('198.51.100.0/26', HOSTING, 'FR'),
  '2001:db8:1::7': network('2001:db8::/32', CLOUD, null),
  '203.0.113.7': network(null, null, 'NL'),
  '233.252.0.7': null,
};

const GPTBOT = { agent: 'GPTBot', result: 'verification_failed', reason: 'host_name_not_listed' } as const;
const dnsEvidence = (...names: string[]): object => ({
  steps: [
    { method: 'ip_range', outcome: 'fail', reason: 'not_in_published_ranges' },
    {
      method: 'reverse_dns',
      outcome: 'fail',
      reason: 'host_name_not_listed',
      host_names: names,
      confirmed_host_name: null,
    },
  ],
});
const VISITS: Omit<StoredVisit, 'at'>[] = [
  { ...GPTBOT, address: '192.0.2.7', evidence: dnsEvidence('static-7.hosting.example') },
  { ...GPTBOT, address: '198.51.100.7' },
  { ...GPTBOT, address: '198.51.100.8' },
  { ...GPTBOT, address: '2001:db8:1::7' },
  { ...GPTBOT, address: '203.0.113.7' },
  { ...GPTBOT, address: '233.252.0.7' },
  { ...GPTBOT },
  { path: '/person', address: '203.0.113.7' },
];

/** Drops `$id`, because a schema that includes another one twice would define the same ID twice. */
const createValidator = (schema: object) =>
  validator(
    JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === '$id' ? undefined : value))) as TSchema,
  );

let folder: string;
const replaceFile = async (name: string, bytes: Buffer | string): Promise<void> => {
  await writeFile(join(folder, `${name}.new`), bytes);
  await rename(join(folder, `${name}.new`), join(folder, name));
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'network-names-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function createProject(app: App): Promise<string> {
  const { body } = await app.api('POST', '/projects', { name: 'Shop', time_zone: 'UTC' });
  const visits = VISITS.map((visit, index) => ({ at: new Date(NOW - index * 60_000).toISOString(), ...visit }));
  await storeVisits(app.database.dataSource, body.id, NOW, visits);
  return body.id as string;
}
const listNetworks = (visits: Json[]): [string | null, ClientNetwork | null][] =>
  visits.map(({ client_address: address, client_network: found }) => [address, found]);
const expected = VISITS.map(({ address = null }) => [address, address === null ? null : NETWORKS[address]]);

describe('with network files', () => {
  let app: App;
  let id: string;
  beforeAll(async () => {
    await replaceFile('asn.mmdb', createMmdb(OPERATORS, { type: 'Test-ASN' }));
    await replaceFile('country.mmdb', COUNTRIES);
    const settings = { ASN_FILE: join(folder, 'asn.mmdb'), GEOIP_FILE: join(folder, 'country.mmdb') };
    app = await App.start({ clock: () => NOW, settings });
    await app.nest.listen(0, '127.0.0.1');
    id = await createProject(app);
  });
  afterAll(() => app?.dispose());

  it('adds the network to visits in the timeline, details, stream, and exports', async () => {
    const { visits } = (await app.api('GET', `/projects/${id}/visits`)).body;
    expect(listNetworks(visits)).toEqual(expected);
    for (const visit of visits) expect(createValidator(TimelineVisitSchema).faults(visit)).toEqual([]);
    expect((await app.api('GET', `/projects/${id}/visits/${visits[0].id}`)).body).toEqual(visits[0]);

    const { port } = app.nest.getHttpServer().address() as AddressInfo;
    const { apiKey, accessToken } = app;
    const client = new Client({ url: `http://127.0.0.1:${port}`, accessToken, apiKey });
    const stream = await StreamReader.open(client, id, { lastEventId: '0' });
    await until(() => stream.documents.length === VISITS.length, { condition: 'all visits are streamed' });
    stream.close();
    expect(stream.visits).toEqual(visits);

    const ndjson = (await app.api('GET', `/projects/${id}/visits/export?format=ndjson`)).text;
    expect(
      ndjson
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(visits);
    const [head, ...lines] = (await app.api('GET', `/projects/${id}/visits/export`)).text.trimEnd().split('\r\n');
    expect(head).toMatch(
      /,client_network_prefix,client_network_as_number,client_network_operator_name,client_network_country_code,response_size_in_bytes,response_size_type,response_cache$/,
    );
    expect(lines.map((line) => /,,,((?:"[^"]*"|[^,]*)(?:,(?:"[^"]*"|[^,]*)){3}),,,$/.exec(line)![1])).toEqual([
      `192.0.2.0/25,64496,"'=Example, Hosting",DE`,
      `198.51.100.0/26,64496,"'=Example, Hosting",FR`,
      `198.51.100.0/26,64496,"'=Example, Hosting",FR`,
      '2001:db8::/32,64497,Example Cloud,',
      ',,,NL',
      ',,,',
      ',,,',
      ',,,NL',
    ]);
  });

  it('groups spoofed visits by autonomous system, or by network if the system is unknown', async () => {
    const { body } = await app.api('GET', `/projects/${id}/verification?${RANGE}`);
    expect(createValidator(VerificationOverviewSchema).faults(body)).toEqual([]);
    expect(body.has_network_names).toBe(true);
    const rows = body.spoofs.map(
      ({ visits, client_network: owner, networks, network_count: count, host_names: names }: Json) => ({
        visits,
        owner,
        networks: networks.map((one: Json) => `${one.prefix} ${one.visits}`),
        count,
        names,
      }),
    );
    const none = { visits: 1, networks: [], count: 0, names: [], owner: null };
    expect(rows).toEqual([
      {
        visits: 3,
        // The country is null, because the networks are in two countries.
        owner: network('198.51.100.0/26', HOSTING, null),
        networks: ['198.51.100.0/26 2', '192.0.2.0/25 1'],
        count: 2,
        names: ['static-7.hosting.example'],
      },
      { ...none, owner: NETWORKS['2001:db8:1::7'], networks: ['2001:db8::/32 1'], count: 1 },
      { ...none, owner: NETWORKS['203.0.113.7'], networks: ['203.0.113.0/24 1'], count: 1 },
      { ...none, networks: ['233.252.0.0/24 1'], count: 1 },
      none,
    ]);
    // Filtering by the network returns the visits counted for it.
    const found = await app.api('GET', `/projects/${id}/visits?result=verification_failed&address=198.51.100.0/26`);
    expect(found.body.visits).toHaveLength(2);
  });

  it('adds networks to agent addresses', async () => {
    const { body } = await app.api('GET', `/projects/${id}/agents/${agentId('GPTBot')}?${RANGE}`);
    expect(createValidator(VisitingAgentSchema).faults(body)).toEqual([]);
    const found = body.addresses.map(({ address, client_network: owner }: Json) => [address, owner]);
    expect(Object.fromEntries(found)).toEqual({ null: null, ...NETWORKS });
  });

  it('reports the state of network files, and reloads replaced files without a restart', async () => {
    const states = async (): Promise<Json[]> => (await app.api('GET', '/system')).body.network_files;
    const [asn, geoip] = await states();
    expect([asn, geoip]).toEqual([
      {
        setting: 'ASN_FILE',
        path: join(folder, 'asn.mmdb'),
        database_type: 'Test-ASN',
        built_at: '2026-11-01T00:00:00.000Z',
        fault: null,
      },
      expect.objectContaining({ setting: 'GEOIP_FILE', path: join(folder, 'country.mmdb'), fault: null }),
    ]);
    const operator = async (): Promise<string> =>
      (await app.api('GET', `/projects/${id}/visits?limit=1`)).body.visits[0].client_network.operator_name;

    await replaceFile('asn.mmdb', createMmdb({ '192.0.2.0/24': CLOUD }, { builtAt: '2026-11-15T00:00:00Z' }));
    await until(async () => (await operator()) === 'Example Cloud', { condition: 'the new file is in effect' });
    expect((await states())[0]).toMatchObject({ built_at: '2026-11-15T00:00:00.000Z', fault: null });

    await replaceFile('asn.mmdb', 'broken');
    await until(async () => (await states())[0].fault !== null, { condition: 'the fault is reported' });
    expect((await states())[0]).toMatchObject({
      built_at: '2026-11-15T00:00:00.000Z',
      fault: expect.stringMatching(/not an MMDB file.*stays in use/),
    });
    expect(await operator()).toBe('Example Cloud');

    await replaceFile('asn.mmdb', createMmdb(OPERATORS));
    await until(async () => (await states())[0].fault === null, { condition: 'the file has been reloaded' });
    expect(await operator()).toBe('=Example, Hosting');
  });
});

it.each([
  ['without files', {}],
  ['with missing files', { ASN_FILE: '/nowhere/asn.mmdb', GEOIP_FILE: '/nowhere/country.mmdb' }],
])("doesn't return network names %s", async (_, settings) => {
  const app = await App.start({ clock: () => NOW, settings });
  try {
    const id = await createProject(app);
    const { visits } = (await app.api('GET', `/projects/${id}/visits`)).body;
    expect(listNetworks(visits)).toEqual(VISITS.map(({ address = null }) => [address, null]));
    for (const visit of visits) expect(createValidator(TimelineVisitSchema).faults(visit)).toEqual([]);
    const { spoofs } = (await app.api('GET', `/projects/${id}/verification?${RANGE}`)).body;
    expect(spoofs.map((spoof: Json) => [spoof.client_network, spoof.networks[0]?.prefix])).toEqual([
      [null, '198.51.100.0/24'],
      ...['192.0.2.0/24', '2001:db8:1::/48', '203.0.113.0/24', '233.252.0.0/24', undefined].map((prefix) => [
        null,
        prefix,
      ]),
    ]);
    const states = (await app.api('GET', '/system')).body.network_files as Json[];
    expect(states.map(({ fault }) => fault.slice(0, 24))).toEqual(
      Object.keys(settings).map(() => 'The file does not exist.'),
    );
  } finally {
    await app.dispose();
  }
});
