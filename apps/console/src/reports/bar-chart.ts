import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const WIDTH_PX = 560;
const HEIGHT_PX = 120;
/** Gaps are narrower if there are many bars. */
const MAX_GAP_PX = 12;
/** Minimum height of a bar, so days without visits are visible. */
const MIN_BAR_HEIGHT_PX = 2;
/** RGBA. */
const BAR_COLOR = [0x3b, 0x5b, 0xdb, 0xff];

const deflateAsync = promisify(deflate);

/** Renders a PNG with one bar per value on a transparent background. Mail clients don't display SVG. */
export async function renderBarChart(values: readonly number[]): Promise<Buffer> {
  const maxValue = Math.max(...values, 1);
  const gap = Math.min(MAX_GAP_PX, Math.round(WIDTH_PX / values.length / 4));
  const step = (WIDTH_PX + gap) / values.length;
  const tops = values.map(
    (value) => HEIGHT_PX - Math.max(MIN_BAR_HEIGHT_PX, Math.round((value / maxValue) * HEIGHT_PX)),
  );
  const rows = Buffer.alloc(HEIGHT_PX * (1 + WIDTH_PX * 4));
  for (let y = 0; y < HEIGHT_PX; y += 1) {
    for (let x = 0; x < WIDTH_PX; x += 1) {
      const bar = Math.floor(x / step);
      if (x - bar * step >= step - gap || y < tops[bar]!) continue;
      rows.set(BAR_COLOR, y * (1 + WIDTH_PX * 4) + 1 + x * 4);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH_PX, 0);
  header.writeUInt32BE(HEIGHT_PX, 4);
  // Bit depth 8, color type 6 (RGBA), then the default compression, filter and interlace methods.
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    encodeChunk('IHDR', header),
    encodeChunk('IDAT', await deflateAsync(rows)),
    encodeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Encodes a chunk. Source: W3C PNG specification, section 5.3. */
function encodeChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
