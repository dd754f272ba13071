import type { VisitingAgent } from '../../api/statistics.js';
import { groupAddresses } from './group-addresses.js';

type AddressRow = VisitingAgent['addresses'][number];
const row = (address: string | null, visits: number, result: AddressRow['result'] = 'not_verifiable'): AddressRow => ({
  address,
  network: address && `${address.split('.').slice(0, 3).join('.')}.0/24`,
  client_network: null,
  visits,
  result,
});

it('sums addresses in the same network with the same result', () => {
  const rows = [
    row('192.0.2.1', 30),
    row(null, 25),
    row('203.0.113.20', 20),
    row('203.0.113.21', 15),
    row('203.0.113.22', 10, 'verification_failed'),
  ];
  const groups = groupAddresses(rows).map(({ address, count, visits }) => [address, count, visits]);
  expect(groups).toEqual([
    ['203.0.113.0/24', 2, 35],
    ['192.0.2.1', 1, 30],
    [null, 1, 25],
    ['203.0.113.22', 1, 10],
  ]);
});

it('leaves addresses separate if some are missing', () => {
  const rows = Array.from({ length: 500 }, (_, index) => row(`203.0.${index >> 8}.${index & 255}`, 1));
  expect(groupAddresses(rows)).toHaveLength(500);
  expect(groupAddresses(rows.slice(0, 200))).toMatchObject([{ address: '203.0.0.0/24', count: 200 }]);
});
