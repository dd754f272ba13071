import { formatFaults, isDeeperThan, createVisitId, VISIT_LIMITS } from '#libs/contracts';
import { createDeadLetter, encodeItem, type DeadLetter, type ReceivedVisits } from '#libs/bus';
import type { RejectedItem, ValidVisit } from './validation.js';

/** Maximum message size in bytes. Kafka brokers accept 1 MB by default. */
export const MAX_MESSAGE_BYTES = 900_000;
/**
 * Maximum body size for which all visits are known to fit into one message. Redaction makes JSON at most 6.5 times as
 * long (`0,` becomes `"[redacted]",`), and serialization at most 4.4 times (`1e20,`).
 */
const MAX_UNMEASURED_BYTES = MAX_MESSAGE_BYTES / 8;
/** Maximum length of the excerpt that replaces a rejected item if it exceeds the maximum visit size. */
const MAX_EXCERPT_CHARACTERS = 64 * 1024;
/**
 * Maximum total size of the lines in a message, in bytes. Their JSON is at most six times as large, so the message
 * including headers stays within the topic's limit.
 */
const MAX_SOURCE_BYTES = 256 * 1024;

export type Batch = Pick<ReceivedVisits, 'batchId' | 'projectId'> & { traceparent: string };

/** Visit with a stable ID, so sending it again in another batch doesn't duplicate it. */
export interface RepeatableVisit extends ValidVisit {
  id: string;
  /** Size of the visit's log line in bytes. */
  bytes: number;
}

/**
 * Splits repeatable visits into messages. Uses the size of their log lines to avoid measuring the JSON.
 */
export function repeatableVisits(batch: Batch, visits: readonly RepeatableVisit[]): ReceivedVisits[] {
  const parts: ReceivedVisits[] = [];
  for (let start = 0; start < visits.length;) {
    let bytes = 0;
    let end = start;
    for (; end < visits.length && (end === start || bytes + visits[end]!.bytes <= MAX_SOURCE_BYTES); end += 1) {
      bytes += visits[end]!.bytes;
    }
    const part = visits.slice(start, end);
    parts.push({
      ...batch,
      visits: part.map(({ visit }) => visit),
      indices: part.map(({ index }) => index),
      visitIds: part.map(({ id }) => id),
      isSingle: false,
      bytes,
    });
    start = end;
  }
  return parts;
}

export interface PostedVisits {
  /** Size of the posted body in bytes. */
  bytes: number;
  /** True if the body was a single object instead of an array. */
  isSingle: boolean;
  /** True if the visits are exactly the posted items, with none rejected or redacted. */
  isUnchanged: boolean;
  /** Visit IDs if the visits may be posted again in another batch, or null to derive them from the batch ID. */
  visitIds: readonly string[] | null;
}

/** Splits the valid visits in a request into messages of up to {@link MAX_MESSAGE_BYTES}. */
export function receivedVisits(
  batch: Batch,
  valid: readonly ValidVisit[],
  { bytes, isSingle, isUnchanged, visitIds }: PostedVisits,
): ReceivedVisits[] {
  if (valid.length === 0) return [];
  const parts = bytes <= MAX_UNMEASURED_BYTES ? [{ start: 0, end: valid.length, bytes }] : splitBySize(valid);
  const isPosted = isUnchanged && parts.length === 1;
  return parts.map(({ start, end, ...size }) => {
    const part = valid.slice(start, end);
    return {
      ...batch,
      ...size,
      visits: part.map(({ visit }) => visit),
      indices: isPosted ? null : part.map(({ index }) => index),
      visitIds: visitIds && visitIds.slice(start, end),
      isSingle: isPosted && isSingle,
    };
  });
}

function splitBySize(valid: readonly ValidVisit[]) {
  const first = { start: 0, end: 0, bytes: 0 };
  const parts = [first];
  let part = first;
  for (const { visit, bytes: measured } of valid) {
    const bytes = (measured ?? Buffer.byteLength(JSON.stringify(visit))) + 1;
    if (part.end > part.start && part.bytes + bytes > MAX_MESSAGE_BYTES) {
      part = { start: part.end, end: part.end, bytes: 0 };
      parts.push(part);
    }
    part.end += 1;
    part.bytes += bytes;
  }
  return parts;
}

/** Creates a dead letter for an invalid item. The item must already be bounded ({@link boundedItem}) and redacted. */
export const rejectedItem = (batch: Batch, { index, item, faults }: RejectedItem): DeadLetter =>
  createDeadLetter(encodeItem(batch, index, JSON.stringify(item)), {
    reason: 'invalid_visit',
    detail: formatFaults(faults),
    step: 'gateway:validate',
    projectId: batch.projectId,
    identity: createVisitId(batch.batchId, index),
  });

/**
 * Limits the size of a rejected item before it's redacted and stored. Replaces values that are nested too deep. If the
 * item exceeds the maximum visit size, returns the start of its JSON as a string.
 */
export function boundedItem(item: unknown): unknown {
  const flat = limitDepth(item, VISIT_LIMITS.depth);
  const json = JSON.stringify(flat);
  return json.length <= VISIT_LIMITS.itemBytes ? flat : `${json.slice(0, MAX_EXCERPT_CHARACTERS).toWellFormed()}…`;
}

/** Replaces deeply nested values, because `JSON.stringify` is recursive and would overflow the stack. */
function limitDepth(value: unknown, depth: number): unknown {
  if (!isDeeperThan(value, depth)) return value;
  if (depth === 0) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => limitDepth(item, depth - 1));
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, limitDepth(item, depth - 1)]));
}
