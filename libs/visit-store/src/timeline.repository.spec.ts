import { TimelineRepository } from './timeline.repository.js';
import type { ClientNetworks } from './client-networks.js';

const ID = '01a20857-935f-7094-8073-ef6cbe6bd689';
const TIME = '2026-11-21T08:31:05.250Z';
const FIRST = { id: ID, project_id: ID, received_at: TIME, occurred_at: TIME };
/** Returns the requested address as the operator. */
const networks = { find: (address: string | null) => ({ operator_name: address }) } as unknown as ClientNetworks;

async function shown(document: string): Promise<unknown> {
  const dataSource = { query: async () => [{ document }] } as unknown as ConstructorParameters<
    typeof TimelineRepository
  >[0];
  return JSON.parse((await new TimelineRepository(dataSource, networks).find(ID, ID))!);
}

it.each([
  ['as it is published', JSON.stringify({ ...FIRST, client_address: '192.0.2.1', visit: {} }), '192.0.2.1'],
  ['of IPv6', JSON.stringify({ ...FIRST, client_address: '2001:db8::1', visit: {} }), '2001:db8::1'],
  ['without an address', JSON.stringify({ ...FIRST, client_address: null, visit: {} }), null],
  ['with spaces', `${JSON.stringify({ ...FIRST, client_address: '192.0.2.1', visit: {} }, null, 1)}\n`, '192.0.2.1'],
  ['in another order', JSON.stringify({ client_address: '192.0.2.1', ...FIRST, visit: {} }), '192.0.2.1'],
  [
    'that names another address',
    JSON.stringify({ ...FIRST, client_address: null, visit: { request_path: '","client_address":"192.0.2.1",' } }),
    null,
  ],
])('adds the network to a visit %s', async (_, document, address) => {
  expect(await shown(document)).toEqual({ ...JSON.parse(document), client_network: { operator_name: address } });
});
