import { readNetworkRecord } from './network-record.js';

const emptyRecord = { as_number: null, operator_name: null, country_code: null };

it.each([
  [
    'a MaxMind or DB-IP ASN file',
    { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Hosting' },
    { as_number: 64_496, operator_name: 'Example Hosting' },
  ],
  [
    'a MaxMind or DB-IP City or Country file',
    { country: { iso_code: 'DE', names: { en: 'Germany' } }, registered_country: { iso_code: 'US' } },
    { country_code: 'DE' },
  ],
  [
    'an IPinfo Lite file',
    { asn: 'AS64497', as_name: 'Example Cloud', country: 'France', country_code: 'FR' },
    { as_number: 64_497, operator_name: 'Example Cloud', country_code: 'FR' },
  ],
  [
    'an IPinfo ASN file',
    { asn: 'AS64498', name: 'Example Net', country: 'NL' },
    { as_number: 64_498, operator_name: 'Example Net', country_code: 'NL' },
  ],
])('parses a record from %s', (_, record, expected) => {
  expect(readNetworkRecord(record)).toEqual({ ...emptyRecord, ...expected });
});

it('ignores unexpected values and truncates long names', () => {
  for (const record of [
    null,
    'DE',
    [],
    {},
    { asn: 'AS', country: 'Germany', name: ' ' },
    { asn: 'AS0', country: { iso_code: 'de' } },
    { autonomous_system_number: 2 ** 32, country_code: 49, as_name: { en: 'Example' } },
    { autonomous_system_number: 1.5, country: '<b' },
  ]) {
    expect(readNetworkRecord(record)).toEqual(emptyRecord);
  }
  expect(readNetworkRecord({ name: 'x'.repeat(1_000) }).operator_name).toHaveLength(200);
});
