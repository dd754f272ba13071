/** Castagnoli polynomial, bit-reversed. */
const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256 values, one per position in an 8-byte block, starting with the last byte. */
const TABLE = makeTables();

function makeTables(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    table[byte] = value;
  }
  for (let at = 256; at < table.length; at += 1) {
    const before = table[at - 256]!;
    table[at] = (before >>> 8) ^ table[before & 0xff]!;
  }
  return table;
}

/** Returns the unsigned CRC-32C checksum (RFC 3720, appendix B.4). Processes eight bytes per step ("slicing-by-8"). */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    const low = crc ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
    crc =
      TABLE[1_792 + (low & 0xff)]! ^
      TABLE[1_536 + ((low >>> 8) & 0xff)]! ^
      TABLE[1_280 + ((low >>> 16) & 0xff)]! ^
      TABLE[1_024 + (low >>> 24)]! ^
      TABLE[768 + bytes[at + 4]!]! ^
      TABLE[512 + bytes[at + 5]!]! ^
      TABLE[256 + bytes[at + 6]!]! ^
      TABLE[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at += 1) crc = TABLE[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
