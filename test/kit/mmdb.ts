import { isIPv4 } from 'node:net';

type Value = string | number | bigint | readonly Value[] | { readonly [name: string]: Value };

interface MmdbOptions {
  /** Database type for the metadata. */
  type?: string;
  builtAt?: string;
  /** An IPv4 tree has 32 levels. An IPv6 tree contains IPv4 addresses in `::/96`. */
  ipVersion?: 4 | 6;
}

/** Index of another node, offset of a record in the data section, or null if the branch is empty. */
type Branch = { node: number } | { data: number } | null;

const UTF8_STRING = 2;
const UINT32 = 6;
const MAP = 7;
const UINT64 = 9;
const ARRAY = 11;
const SEPARATOR = 16;

/**
 * Returns a minimal MMDB file (https://maxmind.github.io/MaxMind-DB/, version 2.0, 32-bit records).
 *
 * @param networks Records by CIDR block. The most specific block wins.
 */
export function createMmdb(networks: Readonly<Record<string, Value>>, options: MmdbOptions = {}): Buffer {
  const { type = 'Test', builtAt = '2026-11-01T00:00:00Z', ipVersion = 6 } = options;
  const nodes: [Branch, Branch][] = [[null, null]];
  const data: Buffer[] = [];
  const offsets = new Map<string, number>();
  let size = 0;
  const getOffset = (record: Value): number => {
    const key = JSON.stringify(record);
    const knownOffset = offsets.get(key);
    if (knownOffset !== undefined) return knownOffset;
    const bytes = encode(record);
    data.push(bytes);
    offsets.set(key, size);
    size += bytes.length;
    return size - bytes.length;
  };
  const blocks = Object.entries(networks).map(([cidr, record]) => ({ bits: toBits(cidr, ipVersion), record }));
  // Insert larger blocks first, so nested blocks can split them.
  for (const { bits, record } of blocks.toSorted((one, other) => one.bits.length - other.bits.length)) {
    let node = 0;
    for (const bit of bits.slice(0, -1)) {
      const branch = nodes[node]![bit]!;
      if (branch !== null && 'node' in branch) node = branch.node;
      else {
        nodes[node]![bit] = { node: nodes.length };
        node = nodes.push([branch, branch]) - 1;
      }
    }
    nodes[node]![bits.at(-1)!] = { data: getOffset(record) };
  }
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [index, branches] of nodes.entries()) {
    for (const [side, branch] of branches.entries())
      tree.writeUInt32BE(encodeBranch(branch, nodes.length), index * 8 + side * 4);
  }
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: BigInt(Date.parse(builtAt) / 1_000),
    database_type: type,
    description: { en: 'Test database' },
    ip_version: ipVersion,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 32,
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(SEPARATOR),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    metadata,
  ]);
}

function encodeBranch(branch: Branch, nodes: number): number {
  if (branch === null) return nodes;
  return 'node' in branch ? branch.node : nodes + SEPARATOR + branch.data;
}

function toBits(cidr: string, ipVersion: 4 | 6): (0 | 1)[] {
  const [address, prefix] = cidr.split('/') as [string, string];
  const bytes = isIPv4(address) ? address.split('.').map(Number) : ipv6Bytes(address);
  const bits = bytes.flatMap((byte) => [...byte.toString(2).padStart(8, '0')].map((bit) => (bit === '1' ? 1 : 0)));
  const leadingZeros = ipVersion === 6 && isIPv4(address) ? Array.from({ length: 96 }, () => 0 as const) : [];
  return [...leadingZeros, ...bits.slice(0, Number(prefix))];
}

function ipv6Bytes(address: string): number[] {
  const [left, right] = address.split('::').map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left!.length - (right?.length ?? 0) }, () => '0');
  return [...left!, ...(right === undefined ? [] : zeros), ...(right ?? [])].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return encodeField(UTF8_STRING, Buffer.from(value));
  if (typeof value === 'number') return encodeField(UINT32, encodeUnsigned(BigInt(value)));
  if (typeof value === 'bigint') return encodeField(UINT64, encodeUnsigned(value));
  if (Array.isArray(value)) return encodeField(ARRAY, Buffer.concat(value.map(encode)), value.length);
  const members = Object.entries(value as Record<string, Value>);
  const bytes = Buffer.concat(members.flatMap(([name, member]) => [encode(name), encode(member)]));
  return encodeField(MAP, bytes, members.length);
}

/** Encodes a control byte, extra bytes for large types and sizes, and the payload. */
function encodeField(type: number, payload: Buffer, size = payload.length): Buffer {
  if (size >= 285) throw new RangeError('fields longer than 284 bytes are not supported');
  const sizeBits = Math.min(size, 29);
  const head = type <= MAP ? [(type << 5) | sizeBits] : [sizeBits, type - 7];
  return Buffer.concat([Buffer.from(size < 29 ? head : [...head, size - 29]), payload]);
}

function encodeUnsigned(value: bigint): Buffer {
  const digits = value === 0n ? '' : value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
