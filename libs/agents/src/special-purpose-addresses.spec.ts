import { parseAddress } from './address.js';
import { INTERNAL_RANGES, isPublicAddress, isUndecidedAddress } from './special-purpose-addresses.js';

const toAddress = (text: string) => parseAddress(text)!;

it.each([
  ['10.0.0.1', '100.127.255.255', '127.0.0.1', '169.254.169.254', '172.31.255.255', '192.168.0.1', '::1', 'fd00::1'],
  ['fe80::1', '::ffff:10.0.0.1'],
])('classifies %s and similar addresses as internal', (...texts) => {
  for (const text of texts) {
    expect([text, INTERNAL_RANGES.contains(toAddress(text))]).toEqual([text, true]);
    expect([text, isUndecidedAddress(toAddress(text)), isPublicAddress(toAddress(text))]).toEqual([text, false, false]);
  }
});

it.each([
  ['192.0.0.1', '192.0.0.9', '192.0.0.170', '192.31.196.1', '192.52.193.1', '192.88.99.1', '192.175.48.1'],
  ['198.18.0.5', '198.19.255.255', '224.0.0.1', '239.255.255.255', '240.16.0.1', '255.255.255.255'],
  ['64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1:ffff::1', '100::1', '100:0:0:1::1', '2001::1', '2001:1::1'],
  [
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1ff::1',
    '2002:808:808::1',
  ],
  ['2620:4f:8000::1', '5f00::1', 'fec0::1', 'feff::1', 'ff02::1', '::8.8.8.8', '4000::1', '8000::1', 'fe00::1'],
  ['::ffff:198.18.0.5', '::ffff:0:8.8.8.8'],
])('classifies %s and similar addresses as undecided', (...texts) => {
  for (const text of texts) {
    expect([text, isUndecidedAddress(toAddress(text))]).toEqual([text, true]);
    expect([text, INTERNAL_RANGES.contains(toAddress(text)), isPublicAddress(toAddress(text))]).toEqual([
      text,
      false,
      false,
    ]);
  }
});

it('classifies documentation addresses as neither internal, undecided nor public', () => {
  for (const text of ['192.0.2.1', '198.51.100.7', '203.0.113.255', '2001:db8::7', '3fff::1']) {
    expect([text, isUndecidedAddress(toAddress(text)), INTERNAL_RANGES.contains(toAddress(text))]).toEqual([
      text,
      false,
      false,
    ]);
    expect(isPublicAddress(toAddress(text))).toBe(false);
  }
});

it.each([
  '1.0.0.0',
  '9.255.255.255',
  '100.63.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.88.98.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2003::1',
  '2620:4f:7fff::1',
  '2a00:1450::1',
  '3ffe::1',
  '3fff:1000::1',
])('classifies %s as public', (text) => {
  expect(isPublicAddress(toAddress(text))).toBe(true);
  expect(isUndecidedAddress(toAddress(text))).toBe(false);
});
