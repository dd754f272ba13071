import type { InterfaceOperation } from '#libs/contracts';
import { compressedBodies, filled, JSON_TYPE, listed, PACKERS, STRUCTURES, TEXTS, type HostileBody } from './bodies.js';
import { fieldsOf, jsonWith, sampleOf } from './samples.js';

/** Bytes reserved for the rest of the body, next to its hostile part. */
const MARGIN_BYTES = 4_096;
/** Maximum items per batch, and text sizes per item in bytes. */
const MAX_ITEMS = 5_000;
const ITEM_TEXT_BYTES = [200, 5_000, 400_000];

/**
 * Yields hostile bodies for a JSON operation: arbitrary structures, the operation's own fields with hostile values, and
 * batches.
 *
 * @param plain Required fields of the operation.
 * @param limit Maximum size in bytes.
 */
export function* operationBodies(operation: InterfaceOperation, plain: object, limit: number): Generator<HostileBody> {
  const size = limit - MARGIN_BYTES;
  const body = (name: string, text: () => string): HostileBody => ({
    name,
    headers: JSON_TYPE,
    bytes: () => Buffer.from(text()),
  });
  for (const [name, structureOf] of Object.entries(STRUCTURES)) yield body(name, () => structureOf(size));
  for (const encoding of Object.keys(PACKERS)) {
    yield* compressedBodies(encoding, Buffer.from(JSON.stringify(plain)));
  }
  const sample = { ...(sampleOf(operation.body!) as object), ...plain };
  const room = size - JSON.stringify(sample).length;
  for (const path of fieldsOf(operation.body!).slice(1)) {
    const place = path.join('.');
    const at = (json: string): string => jsonWith(sample, path, json);
    for (const [name, unit] of Object.entries(TEXTS)) {
      const escaped = JSON.stringify(unit).slice(1, -1);
      yield body(`${place}: ${name}`, () => at(`"${filled(escaped, room)}"`));
      const short = JSON.stringify(filled(unit, 500));
      yield body(`${place}: many texts of ${name}`, () =>
        at(`[${listed(Math.floor(room / (Buffer.byteLength(short) + 1)), short)}]`),
      );
    }
    for (const [name, structureOf] of Object.entries(STRUCTURES)) {
      yield body(`${place}: ${name}`, () => at(structureOf(room)));
    }
  }
  if (Array.isArray(sampleOf(operation.body!)) || 'request_headers' in plain) yield* batches(plain, size);
}

/** Yields batches of as many visits as fit, each with a hostile text. */
function* batches(plain: object, size: number): Generator<HostileBody> {
  for (const [name, unit] of Object.entries(TEXTS)) {
    for (const bytes of ITEM_TEXT_BYTES) {
      const text = filled(unit, bytes);
      const short = text.slice(0, 2_000);
      const headers = { 'user-agent': text, 'x-forwarded-for': short, referer: short, [`x-${short}`]: short };
      const item = JSON.stringify({ ...plain, request_path: `/?${short}`, request_headers: headers });
      const count = Math.min(MAX_ITEMS, Math.floor(size / (Buffer.byteLength(item) + 1)));
      yield {
        name: `${count} items with ${bytes} bytes of ${name}`,
        headers: JSON_TYPE,
        bytes: () => Buffer.from(`[${listed(count, item)}]`),
      };
    }
  }
}
