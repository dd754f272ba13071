/** Castagnoli polynomial in bit-reversed form. */
const POLYNOMIAL = 0x82f63b78;

/** Eight tables of 256 values, one for each position in an 8-byte block, starting with the last byte. */
const TABLES = createTables();

function createTables(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
    table[byte] = value;
  }
  for (let offset = 256; offset < table.length; offset += 1) {
    const previous = table[offset - 256]!;
    table[offset] = (previous >>> 8) ^ table[previous & 0xff]!;
  }
  return table;
}

/** Returns the unsigned CRC-32C checksum (RFC 3720, appendix B.4). Processes eight bytes per step ("slicing-by-8"). */
export function crc32c(bytes: Uint8Array): number {
  let crc = -1;
  let offset = 0;
  for (const end = bytes.length - 7; offset < end; offset += 8) {
    const low =
      crc ^ (bytes[offset]! | (bytes[offset + 1]! << 8) | (bytes[offset + 2]! << 16) | (bytes[offset + 3]! << 24));
    crc =
      TABLES[1_792 + (low & 0xff)]! ^
      TABLES[1_536 + ((low >>> 8) & 0xff)]! ^
      TABLES[1_280 + ((low >>> 16) & 0xff)]! ^
      TABLES[1_024 + (low >>> 24)]! ^
      TABLES[768 + bytes[offset + 4]!]! ^
      TABLES[512 + bytes[offset + 5]!]! ^
      TABLES[256 + bytes[offset + 6]!]! ^
      TABLES[bytes[offset + 7]!]!;
  }
  for (; offset < bytes.length; offset += 1) crc = TABLES[(crc ^ bytes[offset]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
