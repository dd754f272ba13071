import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { detectCompression, decompress } from './decompress.js';

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function unpack(bytes: Buffer, size = 1): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of decompress(pieces(bytes, size))) parts.push(part);
  return Buffer.concat(parts).toString();
}

it('passes uncompressed data through', async () => {
  expect(await unpack(Buffer.from('plain'))).toBe('plain');
  expect(await unpack(Buffer.from('x'))).toBe('x');
  expect(await unpack(Buffer.alloc(0))).toBe('');
});

it('decompresses gzip files with several members', async () => {
  const members = Buffer.concat([gzipSync('one\n'), gzipSync('two\n'), gzipSync('')]);
  expect(await unpack(members)).toBe('one\ntwo\n');
  expect(await unpack(members, 7)).toBe('one\ntwo\n');
});

it('decompresses zstd files, and suggests zstdcat for files with several frames', async () => {
  const packed = zstdCompressSync('one\ntwo\n'.repeat(10_000));
  expect(await unpack(packed, 1_000)).toBe('one\ntwo\n'.repeat(10_000));
  expect(detectCompression(packed)).toBe('zstd');
  await expect(unpack(Buffer.concat([packed, packed]), 1_000_000)).rejects.toThrow('zstdcat');
});

it('decompresses bzip2 files with several streams', async () => {
  const packed = execFileSync('bzip2', ['-c'], { input: 'one\ntwo\n'.repeat(10_000) });
  expect(await unpack(Buffer.concat([packed, packed]), 1_000)).toBe('one\ntwo\n'.repeat(20_000));
});

it('decompresses xz', async () => {
  const packed = execFileSync('xz', ['-c'], { input: 'one\ntwo\n'.repeat(10_000) });
  expect(await unpack(packed, 1_000)).toBe('one\ntwo\n'.repeat(10_000));
});

it.each([
  ['a tar archive', ['tar', '-c']],
  ['a tar archive', ['tar', '-cz']],
  ['a tar archive', ['tar', '-cJ']],
  ['a zip archive', ['zip', '-q', '-']],
])('rejects %s created by %j', async (name, [program, ...options]) => {
  const packed = execFileSync(program!, [...options, 'package.json']);
  await expect(unpack(packed, 64 * 1_024)).rejects.toThrow(name);
});

it('reports that bzip2 failed or is missing', async () => {
  const packed = execFileSync('bzip2', ['-c'], { input: randomBytes(10_000) });
  await expect(unpack(packed.subarray(0, 5_000), 1_000)).rejects.toThrow(/bzip2 failed: .*unexpectedly/s);
  await expect(unpack(Buffer.concat([packed.subarray(0, 4), Buffer.alloc(100_000)]), 1_000)).rejects.toThrow(
    'bzip2 failed: ',
  );
  const { PATH } = process.env;
  process.env['PATH'] = '/nowhere';
  try {
    await expect(unpack(packed)).rejects.toThrow('install the bzip2 program');
  } finally {
    process.env['PATH'] = PATH;
  }
});

it('returns the readable part of a truncated file before it fails', async () => {
  const packed = gzipSync(randomBytes(100_000).toString('hex'));
  let length = 0;
  const reading = (async () => {
    for await (const part of decompress(pieces(packed.subarray(0, packed.length / 2), 4_096))) length += part.length;
  })();
  await expect(reading).rejects.toThrow('unexpected end of file');
  expect(length).toBeGreaterThan(50_000);
});

it('forwards errors from the source', async () => {
  async function* failing(): AsyncGenerator<Buffer> {
    yield gzipSync('one').subarray(0, 12);
    throw new Error('disk gone');
  }
  await expect(decompress(failing()).next()).rejects.toThrow('disk gone');
  async function* failingBzip2(): AsyncGenerator<Buffer> {
    yield Buffer.from('BZh91AY&SY');
    throw new Error('disk gone');
  }
  await expect(decompress(failingBzip2()).next()).rejects.toThrow(/disk gone|bzip2 failed/);
});
