import { sanityFault } from './address-list-sanity.js';

const some = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}/32`);

it('accepts a first list, growth, and the loss of up to half', () => {
  expect(sanityFault(some(1), [])).toBeNull();
  expect(sanityFault(some(100), some(3))).toBeNull();
  expect(sanityFault(some(5), some(10))).toBeNull();
  expect(sanityFault(['198.51.100.0/24', '203.0.113.0/24'], some(3))).toBeNull();
});

it('rejects an empty list, the loss of more than half, and blocks that are too wide', () => {
  expect(sanityFault([], [])).toMatch(/empty/);
  expect(sanityFault(some(4), some(9))).toBe('it has shrunk from 9 blocks to 4');
  expect(sanityFault(['198.51.100.0/24'], some(3))).toMatch(/shrunk/);
  expect(sanityFault(['192.0.2.0/24', '0.0.0.0/0'], [])).toBe('0.0.0.0/0 is too wide');
  expect(sanityFault(['10.0.0.0/7'], [])).toMatch(/wide/);
  expect(sanityFault(['2000::/15'], [])).toMatch(/wide/);
  expect(sanityFault(['10.0.0.0/8', '2001::/16'], [])).toBeNull();
});

it('accepts merged blocks', () => {
  expect(sanityFault(['192.0.2.0/24'], some(256))).toBeNull();
  expect(sanityFault(['2001:db8::/32'], ['2001:db8:1::/48', '2001:db8:2::/48', '2001:db8:3::/48'])).toBeNull();
});

it('rejects too many blocks and more than a quarter of all IPv4 addresses', () => {
  const blocks = (count: number) => Array.from({ length: count }, (_, index) => `2001:db8:${index.toString(16)}::/48`);
  const many = (count: number) => Array.from({ length: count / 50_000 }, () => blocks(50_000)).flat();
  expect(sanityFault(many(100_000), [])).toBeNull();
  expect(sanityFault(many(150_000), [])).toBe('it has 150000 blocks, more than 100000');
  const networks = (count: number) => Array.from({ length: count }, (_, index) => `${index}.0.0.0/8`);
  expect(sanityFault(networks(64), [])).toBeNull();
  expect(sanityFault(networks(65), [])).toBe('it holds more than a quarter of all IPv4 addresses');
});
