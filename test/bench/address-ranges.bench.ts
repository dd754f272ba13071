/**
 * Looks up addresses in 100,000 blocks, half of them IPv6. The peer is `net.BlockList`, which can't return the block.
 * Requires a build. Run with `node test/bench/address-ranges.bench.ts`.
 */
import { BlockList } from 'node:net';
import type { Address } from '#libs/agents';
import { printRows, type Row } from './compare.ts';
import { compareWork, OUR_LIBS, type Libs } from './compare-functions.ts';

const BLOCKS = 100_000;
const ADDRESSES = 20_000;

/** State of a linear congruential generator, so every run uses the same blocks. */
let state = 42;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const ipv4 = (): string => [1 + random(223), random(256), random(256), random(256)].join('.');
// All addresses start with one of only a few words, as in allocated address space. Lookups therefore have to compare
// many bits.
const ipv6 = (): string => `${['2001', '2600', '2a00'][random(3)]}:${[...Array(7)].map(word).join(':')}`;
const word = (): string => random(65_536).toString(16);

const ranges = Array.from({ length: BLOCKS }, (_, index) =>
  index % 2 === 0 ? `${ipv4()}/${16 + random(17)}` : `${ipv6()}/${32 + random(33)}`,
);
// Half of the addresses start a block. The others are random.
const addresses = Array.from({ length: ADDRESSES }, (_, index): Address => {
  const anywhere = random(2) === 0 ? ipv4() : ipv6();
  return OUR_LIBS.agents.parseAddress(index % 2 === 0 ? ranges[random(BLOCKS)]!.split('/')[0]! : anywhere)!;
});

function measure<T>(run: () => T): [result: T, milliseconds: string] {
  const start = performance.now();
  return [run(), (performance.now() - start).toFixed(0)];
}

const compile = ({ agents }: Libs) => agents.compileAddressIndex([{ list: 'list', ranges }]);
const [, cold] = measure(() => compile(OUR_LIBS));
const before = process.memoryUsage().arrayBuffers;
const [index, warm] = measure(() => compile(OUR_LIBS));
const mebibytes = ((process.memoryUsage().arrayBuffers - before) / 2 ** 20).toFixed(1);
const [blockList, blockListBuilt] = measure(() => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix] = range.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
});
const check = ({ text, family }: Address): boolean => blockList.check(text, family === 4 ? 'ipv4' : 'ipv6');

const mismatch = addresses.find((address) => check(address) !== (index.find(address) !== null));
if (mismatch !== undefined) throw new Error(`The index and BlockList disagree on ${mismatch.text}`);

const samples = {
  'an address': addresses,
  'an IPv4 address': addresses.filter(({ family }) => family === 4),
  'an IPv6 address': addresses.filter(({ family }) => family === 6),
};
const rows: Row[] = [];
for (const [name, items] of Object.entries(samples)) {
  const found = await compareWork({
    what: `block lookup for ${name}`,
    unit: 'addresses',
    items,
    createFunction(libs) {
      const theirs = compile(libs);
      return (address) => theirs.find(address) !== null;
    },
    peers: [{ peer: 'BlockList.check', run: check }],
  });
  rows.push(...found);
}
printRows(
  `${BLOCKS} blocks, compiled in ${cold} ms (recompiled in ${warm} ms), ${mebibytes} MiB; BlockList built in ${blockListBuilt} ms`,
  rows,
);
