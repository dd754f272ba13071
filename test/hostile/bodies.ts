/**
 * Building blocks for hostile bodies: texts, structures, and compressed data that are expensive to process for their
 * size.
 */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';

/** Body that is designed to block the process or exhaust its memory. */
export interface HostileBody {
  name: string;
  headers: Record<string, string>;
  /** Builds the body. Building it may take longer than sending it. */
  bytes: () => Buffer;
}

export const MIB = 2 ** 20;
export const JSON_TYPE = { 'content-type': 'application/json' };

/** Texts that make parsers scan far ahead. They're repeated to the required length. */
export const TEXTS: Readonly<Record<string, string>> = {
  letters: 'x',
  'open quotes and colons': ':"x',
  'members of JSON': '{"a":"b",',
  'names and values': 'a=b&',
  'encoded characters': '%2541',
  'characters that unfold': '\ufdfa',
  escapes: String.raw`\"\u0041`,
  blanks: ' \t',
  colons: ' :',
  credentials: 'Bearer abcdefgh eyJ ',
  addresses: '192.0.2.1, [::1]:80, ',
  times: '[21/Nov/2026:08:30:00 +0000] "',
};

/** Repeats the unit up to about `bytes` bytes. */
export const repeatToBytes = (unit: string, bytes: number): string =>
  unit.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(unit))));

export const repeatItem = (count: number, item: string): string =>
  `${`${item},`.repeat(Math.max(0, count - 1))}${item}`;

/** Functions that build JSON texts of about `bytes` bytes. Some texts are incomplete. */
export const STRUCTURES: Readonly<Record<string, (bytes: number) => string>> = {
  'arrays in arrays': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects in objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}0${'}'.repeat(bytes / 6)}`,
  'opening brackets': (bytes) => '['.repeat(bytes),
  numbers: (bytes) => `[${repeatItem(bytes / 2, '0')}]`,
  'empty objects': (bytes) => `[${repeatItem(bytes / 3, '{}')}]`,
  'small objects': (bytes) => `[${repeatItem(bytes / 24, '{"a":1,"b":[],"c":null}')}]`,
  'different names': (bytes) => `{${Array.from({ length: bytes / 14 }, (_, index) => `"n${index}":0`).join(',')}}`,
  'objects of different names': (bytes) =>
    `[${Array.from({ length: bytes / 16 }, (_, index) => `{"n${index}":0}`).join(',')}]`,
  'empty attributes': (bytes) => `{"attributes":[${repeatItem(bytes / 3, '{}')}]}`,
};

export const gzip = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 1 });

/** Compression functions by Content-Encoding. */
export const COMPRESSORS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (bytes) => zstdCompressSync(bytes),
};

const bombs = new Map<string, Buffer>();

/** Returns 100 MiB of compressed zeros. */
export function bomb(encoding: string): Buffer {
  const cachedBomb = bombs.get(encoding);
  if (cachedBomb !== undefined) return cachedBomb;
  const packed = COMPRESSORS[encoding]!(Buffer.alloc(100 * MIB));
  bombs.set(encoding, packed);
  return packed;
}

/** Yields bodies that decompress to too much data or only turn out to be corrupt after decompression. */
export function* compressedBodies(encoding: string, content: Buffer): Generator<HostileBody> {
  const pack = COMPRESSORS[encoding]!;
  const bodies: Record<string, () => Buffer> = {
    'a bomb': () => bomb(encoding),
    'a truncated bomb': () => bomb(encoding).subarray(0, -4),
    'three bombs': () => Buffer.concat(Array<Buffer>(3).fill(bomb(encoding))),
    'a wrong trailer': () => {
      const packed = pack(content);
      packed[packed.length - 5]! ^= 0xff;
      return packed;
    },
    'garbage at the end': () => Buffer.concat([pack(content), Buffer.alloc(MIB, 'x')]),
    'a bomb within': () => pack(bomb(encoding)),
    'empty parts': () => Buffer.concat(Array<Buffer>(50_000).fill(pack(Buffer.alloc(0)))),
  };
  for (const [name, bytes] of Object.entries(bodies)) {
    yield { name: `${encoding}: ${name}`, bytes, headers: { ...JSON_TYPE, 'content-encoding': encoding } };
  }
}
