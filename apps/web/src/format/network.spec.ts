import {
  formatNetwork,
  formatNetworkDetails,
  formatShortNetwork,
  getCountryName,
  getNetwork,
  type ClientNetwork,
} from './network.js';

const createNetwork = (fields: Partial<ClientNetwork>): ClientNetwork => ({
  prefix: null,
  as_number: null,
  operator_name: null,
  country_code: null,
  ...fields,
});

it.each([
  [
    { as_number: 64_496, operator_name: 'Example Hosting', country_code: 'DE' },
    ['Example Hosting, DE', 'AS64496, Germany', 'Example Hosting, AS64496, Germany'],
  ],
  [{ as_number: 64_496 }, ['AS64496', 'AS64496', 'AS64496']],
  [{ country_code: 'FR' }, ['FR', 'France', 'France']],
  [{ operator_name: 'Example Hosting' }, ['Example Hosting', '', 'Example Hosting']],
])('formats %j', (fields, expected) => {
  const clientNetwork = createNetwork(fields);
  expect([
    formatShortNetwork(clientNetwork),
    formatNetworkDetails(clientNetwork),
    formatNetwork(clientNetwork),
  ]).toEqual(expected);
});

it('returns an empty string for an unknown network', () => {
  expect([formatShortNetwork(null), formatNetwork(null)]).toEqual(['', '']);
});

it('returns unassigned country codes unchanged', () => {
  expect([getCountryName('QM'), getCountryName('1')]).toEqual(['QM', '1']);
});

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:7:1:2:3:4:5', '2001:db8:7::/48'],
  ['2001:db8:7::1', '2001:db8:7::/48'],
  ['2001:db8::1', '2001:db8::/48'],
  ['::1', '::/48'],
  ['unknown', null],
  ['', null],
])('returns the network of %j', (address, network) => expect(getNetwork(address)).toBe(network));
