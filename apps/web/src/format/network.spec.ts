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
])('says %j', (fields, expected) => {
  const whole = network(fields);
  expect([shortNetwork(whole), networkDetails(whole), fullNetwork(whole)]).toEqual(expected);
});

it('says nothing of what is not known', () => {
  expect([shortNetwork(null), fullNetwork(null)]).toEqual(['', '']);
});

it('keeps a code that is not of a country', () => {
  expect([countryName('QM'), countryName('1')]).toEqual(['QM', '1']);
});
