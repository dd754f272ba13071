import {
  faultLine,
  formatIndices,
  isDeeperThan,
  RECEIVED_HEADERS,
  timeOfId,
  TOPICS,
  visitId,
  VISIT_LIMITS,
  type Visit,
} from '#libs/contracts';
import { deadLetter, JsonMessage, ReadMessage, type BusMessage } from '#libs/bus';
import type { RefusedItem } from './validation.js';

/** A body above this is divided, in bytes: brokers take 1 MB by default. */
export const MAX_MESSAGE_BYTES = 900_000;
/** Characters that are kept of a refused item that is larger than a visit may be. */
const MAX_EXCERPT_CHARACTERS = 64 * 1024;
/** Of what the visits of a message are made of: a sixth of what the topic takes, whose headers need some of it. */
const MAX_SOURCE_BYTES = 256 * 1024;

/** What identifies a request's visits on the bus. */
export interface Batch {
  id: string;
  projectId: string;
  traceparent: string;
}

/** A valid visit of a request. */
export interface ValidVisit {
  /** Position in the array as posted. */
  index: number;
  visit: Visit;
}

/** A visit that may be posted again in another batch. */
export interface RepeatableVisit extends ValidVisit {
  id: string;
  /** Bytes of what it was made of. */
  bytes: number;
}

/** The body as one message, its bytes as they came. */
export function receivedMessage(
  batch: Batch,
  bytes: Buffer,
  indices?: readonly number[],
  ids?: readonly string[],
): BusMessage {
  return { topic: TOPICS.visitsReceived, key: batch.id, value: bytes, headers: headersOf(batch, indices, ids) };
}

/**
 * Like {@link receivedMessage}, for a body that is already parsed.
 *
 * @param ids of the visits, if they may be posted again in another batch.
 */
export function readMessage(batch: Batch, bytes: Buffer, body: unknown, ids?: readonly string[]): BusMessage {
  return new ReadMessage(TOPICS.visitsReceived, batch.id, headersOf(batch, undefined, ids), bytes, body);
}

function headersOf(
  batch: Batch,
  indices: readonly number[] | undefined,
  ids?: readonly string[],
): Record<string, string> {
  const headers: Record<string, string> = {
    [RECEIVED_HEADERS.batchId]: batch.id,
    [RECEIVED_HEADERS.projectId]: batch.projectId,
    [RECEIVED_HEADERS.receivedAt]: new Date(timeOfId(batch.id)).toISOString(),
    [RECEIVED_HEADERS.traceparent]: batch.traceparent,
  };
  if (indices !== undefined) headers[RECEIVED_HEADERS.indices] = formatIndices(indices);
  if (ids !== undefined) headers[RECEIVED_HEADERS.visitIds] = ids.join(',');
  return headers;
}

/**
 * The visits as messages with ids of their own, which are written as JSON only where they leave this process. JSON takes six
 * bytes at most for one that the visit was made of, so that each message is within what brokers take of this topic.
 */
export function repeatableMessages(batch: Batch, visits: readonly RepeatableVisit[]): BusMessage[] {
  const messages: BusMessage[] = [];
  for (let start = 0; start < visits.length;) {
    let bytes = 0;
    let end = start;
    for (; end < visits.length && (end === start || bytes + visits[end]!.bytes <= MAX_SOURCE_BYTES); end += 1) {
      bytes += visits[end]!.bytes;
    }
    const carried = visits.slice(start, end);
    const headers = headersOf(
      batch,
      carried.map(({ index }) => index),
      carried.map(({ id }) => id),
    );
    const json = carried.map(({ visit }) => visit);
    messages.push(new JsonMessage(TOPICS.visitsReceived, json, bytes, () => ({ key: batch.id, headers })));
    start = end;
  }
  return messages;
}

/**
 * Serializes the visits again, as messages below {@link MAX_MESSAGE_BYTES}.
 *
 * @param ids of the visits, if they may be posted again in another batch.
 */
export function remadeMessages(batch: Batch, visits: readonly ValidVisit[], ids?: readonly string[]): BusMessage[] {
  const messages: BusMessage[] = [];
  let texts: string[] = [];
  let indices: number[] = [];
  let start = 0;
  let size = 0;
  const finish = (): void => {
    const end = start + texts.length;
    const body = Buffer.from(`[${texts.join(',')}]`);
    if (end > start) messages.push(receivedMessage(batch, body, indices, ids?.slice(start, end)));
    texts = [];
    indices = [];
    start = end;
    size = 0;
  };
  for (const { index, visit } of visits) {
    const text = JSON.stringify(visit);
    const bytes = Buffer.byteLength(text) + 1;
    if (size + bytes > MAX_MESSAGE_BYTES) finish();
    texts.push(text);
    indices.push(index);
    size += bytes;
  }
  finish();
  return messages;
}

/** The dead letter of an item that is not a visit: its JSON ({@link boundedItem}, redacted) and its faults. */
export function refusedMessage(batch: Batch, { index, item, faults }: RefusedItem): BusMessage {
  const bytes = Buffer.from(JSON.stringify(item));
  return deadLetter(receivedMessage(batch, bytes, [index]), {
    reason: 'invalid_visit',
    detail: faultLine(faults),
    step: 'gateway:validate',
    projectId: batch.projectId,
    identity: visitId(batch.id, index),
  });
}

/**
 * Returns a refused item within the bounds of what is searched for credentials and kept: without what is nested too deep,
 * and the beginning of its JSON, as text, if it's larger than a visit may be.
 */
export function boundedItem(item: unknown): unknown {
  const flat = flattened(item, VISIT_LIMITS.depth);
  const json = JSON.stringify(flat);
  return json.length <= VISIT_LIMITS.itemBytes ? flat : `${json.slice(0, MAX_EXCERPT_CHARACTERS).toWellFormed()}…`;
}

/** Cuts what is nested too deep for `JSON.stringify`, which recurses. */
function flattened(value: unknown, depth: number): unknown {
  if (!isDeeperThan(value, depth)) return value;
  if (depth === 0) return '[nested too deep]';
  if (Array.isArray(value)) return value.map((item) => flattened(item, depth - 1));
  return Object.fromEntries(Object.entries(value as object).map(([name, item]) => [name, flattened(item, depth - 1)]));
}
