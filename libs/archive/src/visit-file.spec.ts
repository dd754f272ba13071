import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, schemaFromColumnData, type ColumnSource } from 'hyparquet-writer';
import { readVisits } from './visit-file.js';

/** Returns a file whose only column contains the values in one row group. */
function createFile(data: string[], codec: 'ZSTD' | 'SNAPPY' = 'ZSTD'): Uint8Array {
  const writer = new ByteWriter();
  const columnData: ColumnSource[] = [{ name: 'document', type: 'STRING', nullable: false, data, encoding: 'PLAIN' }];
  const schema = schemaFromColumnData({ columnData });
  const file = new ParquetWriter({ writer, schema, codec, compressors: { ZSTD: (input) => zstdCompressSync(input) } });
  void file.write({ columnData, rowGroupSize: data.length });
  void file.finish();
  return writer.getBytes();
}

it.each([
  ['a large column', createFile(Array<string>(65).fill('x'.repeat(2 ** 20))), 'A row group has more than'],
  ['a large row group', createFile(Array<string>(2_001).fill('')), 'A row group has 2001 rows'],
  ['an unknown codec', createFile(['x'.repeat(1_000)], 'SNAPPY'), 'A codec is unknown'],
])('rejects %s', async (_content, file, message) => {
  await expect(readVisits(file).next()).rejects.toThrow(message);
});
