import type { ReadDatabase } from '#libs/database';
import { TimelineRepository } from './timeline.repository.js';
import type { ClientNetworks } from './client-networks.js';

const ID = '01a20857-935f-7094-8073-ef6cbe6bd689';
const TIME = '2026-11-21T08:31:05.250Z';
const FIRST = { id: ID, project_id: ID, received_at: TIME, occurred_at: TIME };
/** Returns the requested address as the operator name. */
const networks = { find: (address: string | null) => ({ operator_name: address }) } as unknown as ClientNetworks;

async function readVisit(document: string): Promise<unknown> {
  const database = { primary: { query: async () => [{ document }] } } as unknown as ReadDatabase;
  const timeline = new TimelineRepository(database, networks);
  return JSON.parse((await timeline.find(ID, ID))!);
}

it.each([
  ['in the usual format', JSON.stringify({ ...FIRST, client_address: '192.0.2.1', visit: {} }), '192.0.2.1'],
  ['with an IPv6 address', JSON.stringify({ ...FIRST, client_address: '2001:db8::1', visit: {} }), '2001:db8::1'],
  ['without an address', JSON.stringify({ ...FIRST, client_address: null, visit: {} }), null],
  [
    'with whitespace',
    `${JSON.stringify({ ...FIRST, client_address: '192.0.2.1', visit: {} }, null, 1)}\n`,
    '192.0.2.1',
  ],
  ['with fields in another order', JSON.stringify({ client_address: '192.0.2.1', ...FIRST, visit: {} }), '192.0.2.1'],
  [
    'with another address in a field',
    JSON.stringify({ ...FIRST, client_address: null, visit: { request_path: '","client_address":"192.0.2.1",' } }),
    null,
  ],
])('adds the client network to a visit %s', async (_, document, address) => {
  expect(await readVisit(document)).toEqual({ ...JSON.parse(document), client_network: { operator_name: address } });
});
