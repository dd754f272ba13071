import { countryName, fullNetwork, networkDetails, shortNetwork, type ClientNetwork } from './network.js';

const network = (fields: Partial<ClientNetwork>): ClientNetwork => ({
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
  const whole = network(fields);
  expect([shortNetwork(whole), networkDetails(whole), fullNetwork(whole)]).toEqual(expected);
});

it('returns an empty string for an unknown network', () => {
  expect([shortNetwork(null), fullNetwork(null)]).toEqual(['', '']);
});

it('returns codes that belong to no country unchanged', () => {
  expect([countryName('QM'), countryName('1')]).toEqual(['QM', '1']);
});
