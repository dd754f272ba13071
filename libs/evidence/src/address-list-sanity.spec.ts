import { findSanityFault } from './address-list-sanity.js';

const createRanges = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}/32`);

it('accepts a first list, a longer list, and the loss of up to half of the blocks', () => {
  expect(findSanityFault(createRanges(1), [])).toBeNull();
  expect(findSanityFault(createRanges(100), createRanges(3))).toBeNull();
  expect(findSanityFault(createRanges(5), createRanges(10))).toBeNull();
  expect(findSanityFault(['198.51.100.0/24', '203.0.113.0/24'], createRanges(3))).toBeNull();
});

it('rejects an empty list, the loss of more than half of the blocks, and overly wide blocks', () => {
  expect(findSanityFault([], [])).toMatch(/empty/);
  expect(findSanityFault(createRanges(4), createRanges(9))).toBe('it has shrunk from 9 blocks to 4');
  expect(findSanityFault(['198.51.100.0/24'], createRanges(3))).toMatch(/shrunk/);
  expect(findSanityFault(['192.0.2.0/24', '0.0.0.0/0'], [])).toBe('0.0.0.0/0 is too wide');
  expect(findSanityFault(['10.0.0.0/7'], [])).toMatch(/wide/);
  expect(findSanityFault(['2000::/15'], [])).toMatch(/wide/);
  expect(findSanityFault(['10.0.0.0/8', '2001::/16'], [])).toBeNull();
});

it('does not count merged blocks as lost from an address list', () => {
  expect(findSanityFault(['192.0.2.0/24'], createRanges(256))).toBeNull();
  expect(findSanityFault(['2001:db8::/32'], ['2001:db8:1::/48', '2001:db8:2::/48', '2001:db8:3::/48'])).toBeNull();
});

it('rejects lists with too many blocks or more than a quarter of all IPv4 addresses', () => {
  const blocks = (count: number) => Array.from({ length: count }, (_, index) => `2001:db8:${index.toString(16)}::/48`);
  const createBlocks = (count: number) => Array.from({ length: count / 50_000 }, () => blocks(50_000)).flat();
  expect(findSanityFault(createBlocks(100_000), [])).toBeNull();
  expect(findSanityFault(createBlocks(150_000), [])).toBe('it has 150000 blocks (maximum: 100000)');
  const networks = (count: number) => Array.from({ length: count }, (_, index) => `${index}.0.0.0/8`);
  expect(findSanityFault(networks(64), [])).toBeNull();
  expect(findSanityFault(networks(65), [])).toBe('it covers more than a quarter of all IPv4 addresses');
});
