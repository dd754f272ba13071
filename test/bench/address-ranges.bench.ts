/**
 * Measures looking addresses up in 100,000 blocks, half of them IPv6, against `net.BlockList`, which can't say which
 * block it was. After a build: `node test/bench/address-ranges.bench.ts`.
 */
import { BlockList } from 'node:net';
import { compileAddressIndex, parseAddress, type Address } from '#libs/agents';

const BLOCKS = 100_000;
const ADDRESSES = 20_000;
const ROUNDS = 30;

/** A linear congruential generator: the same blocks each time. */
let state = 42;
const random = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const ipv4 = (): string => [1 + random(223), random(256), random(256), random(256)].join('.');
// As allocated space is: few first words, so that comparisons have to go deep.
const ipv6 = (): string => `${['2001', '2600', '2a00'][random(3)]}:${[...Array(7)].map(word).join(':')}`;
const word = (): string => random(65_536).toString(16);

const ranges = Array.from({ length: BLOCKS }, (_, index) =>
  index % 2 === 0 ? `${ipv4()}/${16 + random(17)}` : `${ipv6()}/${32 + random(33)}`,
);
const addressOf = (text: string): Address => parseAddress(text)!;
// Half of them start a block, the others are anywhere.
const addresses = Array.from({ length: ADDRESSES }, (_, index) => {
  if (index % 2 === 0) return addressOf(ranges[random(BLOCKS)]!.split('/')[0]!);
  return addressOf(random(2) === 0 ? ipv4() : ipv6());
});

function timed<T>(run: () => T): [result: T, milliseconds: number] {
  const start = performance.now();
  return [run(), performance.now() - start];
}

/** The best of some rounds, in nanoseconds a look-up. */
function measure(run: (address: Address) => boolean, sample: readonly Address[]): number {
  let best = Infinity;
  let found = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [, milliseconds] = timed(() => {
      for (const address of sample) if (run(address)) found++;
    });
    best = Math.min(best, (milliseconds * 1e6) / sample.length);
  }
  if (found < 0) throw new Error('unreachable: keeps the work from being optimized away');
  return best;
}

const compile = () => compileAddressIndex([{ list: 'list', ranges }]);
const [, cold] = timed(compile);
const heapBefore = process.memoryUsage();
const [index, warm] = timed(compile);
const heapAfter = process.memoryUsage();
const [blockList, blockListBuilt] = timed(() => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, prefix] = range.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
});
const check = ({ text, family }: Address): boolean => blockList.check(text, family === 4 ? 'ipv4' : 'ipv6');

const wrong = addresses.filter((address) => check(address) !== (index.find(address) !== null));
if (wrong.length > 0) throw new Error(`The two disagree on ${wrong[0]!.text}`);

const only = (family: 4 | 6) => addresses.filter((address) => address.family === family);
console.log(`${BLOCKS} blocks; ${addresses.filter((address) => index.contains(address)).length} of ${ADDRESSES} held`);
console.log(
  `compiled in ${cold.toFixed(0)} ms, again in ${warm.toFixed(0)} ms; BlockList ${blockListBuilt.toFixed(0)} ms`,
);
console.log(`typed arrays ${((heapAfter.arrayBuffers - heapBefore.arrayBuffers) / 2 ** 20).toFixed(1)} MiB`);
const ours = measure((address) => index.find(address) !== null, addresses);
const results = {
  find: ours,
  'find, IPv4': measure((address) => index.find(address) !== null, only(4)),
  'find, IPv6': measure((address) => index.find(address) !== null, only(6)),
  contains: measure((address) => index.contains(address), addresses),
  'BlockList.check': measure(check, addresses),
};
for (const [name, nanoseconds] of Object.entries(results)) {
  console.log(
    `${name.padEnd(20)} ${nanoseconds.toFixed(0).padStart(10)} ns  ${(nanoseconds / ours).toFixed(2).padStart(9)} times as long`,
  );
}
