import type { InterfaceOperation } from '#libs/contracts';
import {
  compressedBodies,
  repeatToBytes,
  JSON_TYPE,
  repeatItem,
  COMPRESSORS,
  STRUCTURES,
  TEXTS,
  type HostileBody,
} from './bodies.js';
import { listFieldPaths, insertJson, createSample } from './samples.js';

/** Bytes reserved for the rest of the body around its hostile part. */
const MARGIN_BYTES = 4_096;
const MAX_ITEMS = 5_000;
const ITEM_TEXT_BYTES = [200, 5_000, 400_000];

/**
 * Yields hostile bodies for a JSON operation. They contain arbitrary structures, hostile values in the operation's
 * fields, or large batches.
 *
 * @param plain Valid body with only the required fields.
 * @param limit Maximum body size in bytes.
 */
export function* createOperationBodies(
  operation: InterfaceOperation,
  plain: object,
  limit: number,
): Generator<HostileBody> {
  const size = limit - MARGIN_BYTES;
  const createBody = (name: string, text: () => string): HostileBody => ({
    name,
    headers: JSON_TYPE,
    bytes: () => Buffer.from(text()),
  });
  for (const [name, createStructure] of Object.entries(STRUCTURES)) yield createBody(name, () => createStructure(size));
  for (const encoding of Object.keys(COMPRESSORS)) {
    yield* compressedBodies(encoding, Buffer.from(JSON.stringify(plain)));
  }
  const sample = { ...(createSample(operation.body!) as object), ...plain };
  const availableBytes = size - JSON.stringify(sample).length;
  for (const path of listFieldPaths(operation.body!).slice(1)) {
    const fieldName = path.join('.');
    const withJsonAtPath = (json: string): string => insertJson(sample, path, json);
    for (const [name, unit] of Object.entries(TEXTS)) {
      const escaped = JSON.stringify(unit).slice(1, -1);
      yield createBody(`${fieldName}: ${name}`, () => withJsonAtPath(`"${repeatToBytes(escaped, availableBytes)}"`));
      const shortText = JSON.stringify(repeatToBytes(unit, 500));
      yield createBody(`${fieldName}: array of ${name}`, () =>
        withJsonAtPath(`[${repeatItem(Math.floor(availableBytes / (Buffer.byteLength(shortText) + 1)), shortText)}]`),
      );
    }
    for (const [name, createStructure] of Object.entries(STRUCTURES)) {
      yield createBody(`${fieldName}: ${name}`, () => withJsonAtPath(createStructure(availableBytes)));
    }
  }
  if (Array.isArray(createSample(operation.body!)) || 'request_headers' in plain) yield* createBatches(plain, size);
}

/** Yields batches with as many visits as fit. Each visit contains hostile text. */
function* createBatches(plain: object, size: number): Generator<HostileBody> {
  for (const [name, unit] of Object.entries(TEXTS)) {
    for (const bytes of ITEM_TEXT_BYTES) {
      const text = repeatToBytes(unit, bytes);
      const shortText = text.slice(0, 2_000);
      const headers = {
        'user-agent': text,
        'x-forwarded-for': shortText,
        referer: shortText,
        [`x-${shortText}`]: shortText,
      };
      const item = JSON.stringify({ ...plain, request_path: `/?${shortText}`, request_headers: headers });
      const count = Math.min(MAX_ITEMS, Math.floor(size / (Buffer.byteLength(item) + 1)));
      yield {
        name: `${count} items with ${bytes} bytes of ${name}`,
        headers: JSON_TYPE,
        bytes: () => Buffer.from(`[${repeatItem(count, item)}]`),
      };
    }
  }
}
