import { compileAddressIndex } from './address-index.js';
import { parseAddress, type Address } from './address.js';

const addressOf = (text: string): Address => parseAddress(text)!;

describe('compileAddressIndex', () => {
  const index = compileAddressIndex([
    { list: 'wide', ranges: ['10.0.0.0/8', '2001:db8::/32', '::/0', '203.0.113.9'] },
    { list: 'narrow', ranges: ['10.1.0.0/16', '10.1.2.0/24', '2001:db8:0:1::/64', '2001:db8::7', '10.255.255.255/32'] },
    { list: 'same', ranges: ['10.1.2.77/24', '10.0.0.0/8', '0.0.0.0/32', '255.255.255.255/32'] },
  ]);

  it.each([
    ['10.0.0.0', '10.0.0.0/8', 'wide'],
    ['10.1.1.255', '10.1.0.0/16', 'narrow'],
    ['10.1.2.0', '10.1.2.0/24', 'narrow'],
    ['10.1.2.255', '10.1.2.0/24', 'narrow'],
    // Past the end of a nested block, the enclosing block applies again.
    ['10.1.3.0', '10.1.0.0/16', 'narrow'],
    ['10.2.0.0', '10.0.0.0/8', 'wide'],
    ['10.255.255.255', '10.255.255.255/32', 'narrow'],
    ['203.0.113.9', '203.0.113.9', 'wide'],
    ['0.0.0.0', '0.0.0.0/32', 'same'],
    ['255.255.255.255', '255.255.255.255/32', 'same'],
    ['2001:db8::7', '2001:db8::7', 'narrow'],
    ['2001:db8::8', '2001:db8::/32', 'wide'],
    ['2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64', 'narrow'],
    ['2001:db8:0:2::', '2001:db8::/32', 'wide'],
    ['2001:db9::', '::/0', 'wide'],
    ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '::/0', 'wide'],
    // A mapped address matches IPv4 ranges, not ::/0.
    ['::ffff:10.0.0.1', '10.0.0.0/8', 'wide'],
  ])('finds %s in %s of %s', (text, range, list) => {
    expect(index.find(addressOf(text))).toMatchObject({ range, list });
    expect(index.contains(addressOf(text))).toBe(true);
  });

  it.each(['9.255.255.255', '11.0.0.0', '203.0.113.8', '203.0.113.10', '0.0.0.1', '255.255.255.254'])(
    'finds no range for %s',
    (text) => {
      expect(index.find(addressOf(text))).toBeNull();
      expect(index.contains(addressOf(text))).toBe(false);
    },
  );

  it('finds nothing in an empty index and names an invalid range', () => {
    expect(compileAddressIndex([]).find(addressOf('::'))).toBeNull();
    expect(() => compileAddressIndex([{ list: 1, ranges: ['10.0.0.0/8', '10.0.0.0/99'] }])).toThrow('10.0.0.0/99');
  });

  it('finds the same range as a linear scan', () => {
    let state = 7;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    // Few distinct values, so blocks nest deeply and addresses hit their edges.
    const part = (): string => ['0', '1', '80', 'ff', 'ffff'][random(5)]!;
    const ipv4 = (): string => Array.from({ length: 4 }, () => [0, 1, 128, 255][random(4)]).join('.');
    const ipv6 = (): string => Array.from({ length: 8 }, part).join(':');
    const ranges = Array.from({ length: 300 }, (_, row) =>
      row % 2 === 0 ? `${ipv4()}/${random(33)}` : `${ipv6()}/${random(129)}`,
    );
    const bitsOf = (text: string): string => {
      const { family, value } = addressOf(text);
      return BigInt(family === 4 ? value : `0x${value}`)
        .toString(2)
        .padStart(family === 4 ? 32 : 128, '0');
    };
    const prefixes = ranges.map((range) => {
      const [text, length] = range.split('/') as [string, string];
      const bits = bitsOf(text);
      return { bits: bits.slice(0, Number(length)), of: bits.length };
    });
    const longest = (text: string): number | null => {
      const bits = bitsOf(text);
      const lengths = prefixes
        .filter((prefix) => prefix.of === bits.length && bits.startsWith(prefix.bits))
        .map((prefix) => prefix.bits.length);
      return lengths.length === 0 ? null : Math.max(...lengths);
    };
    const index = compileAddressIndex([{ list: null, ranges }]);
    const texts = Array.from({ length: 1_000 }, (_, row) => (row % 2 === 0 ? ipv4() : ipv6()));
    const wrong = texts.filter((text) => (index.find(addressOf(text))?.prefixLength ?? null) !== longest(text));
    expect(wrong).toEqual([]);
    expect(new Set(texts.map(longest)).size).toBeGreaterThan(20);
  });
});
