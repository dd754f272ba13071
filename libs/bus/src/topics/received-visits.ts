import {
  exceededLimit,
  formatFaults,
  formatIndices,
  isBatchId,
  isUuid,
  parseIndices,
  RECEIVED_HEADERS,
  timeOfId,
  TOPICS,
  VISIT_LIMITS,
  visitFault,
  visitId,
  VISITS_JSON_LIMITS,
  type Visit,
} from '#libs/contracts';
import { deadLetter, type DeadLetter } from '../dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from '../message.js';
import { refused } from '../outcome.js';
import type { Decoded, Topic } from '../topic.js';

const STEP = 'enrichment:read-batch';

/** Valid visits of one request. */
export interface ReceivedVisits {
  batchId: string;
  projectId: string;
  traceparent: string | null;
  visits: readonly Visit[];
  /** Positions of the visits in the posted array, or null for 0 to n-1. */
  indices: readonly number[] | null;
  /** IDs of visits that may be posted again in another batch. Null if they derive from batch ID and position. */
  visitIds: readonly string[] | null;
  /** True if a single visit was posted as an object instead of an array. */
  isSingle: boolean;
  /** Approximate size of the visits as JSON, in bytes. */
  bytes: number;
}

export const receivedVisitId = (
  { batchId, indices, visitIds }: Omit<ReceivedVisits, 'visits'>,
  position: number,
): string => visitIds?.[position] ?? visitId(batchId, indices?.[position] ?? position);

/** `visits.received.v1`: the visits of one request, as posted. */
export const RECEIVED_VISITS: Topic<ReceivedVisits> = {
  name: TOPICS.visitsReceived,

  encode({ visits, isSingle, ...batch }) {
    return encodedMessage(batch, JSON.stringify(isSingle ? visits[0] : visits));
  },

  decode(message) {
    const { headers, value: bytes } = message;
    const batchId = headers[RECEIVED_HEADERS.batchId];
    const projectId = headers[RECEIVED_HEADERS.projectId];
    if (batchId === undefined || !isBatchId(batchId))
      return malformed('the batch_id header is missing or is not a batch id');
    if (projectId === undefined || !isUuid(projectId))
      return malformed('the project_id header is missing or is not a UUID');
    let body: unknown;
    try {
      body = parsed(bytes.toString('utf8'));
    } catch (error) {
      return malformed((error as Error).message);
    }
    const items: unknown[] = Array.isArray(body) ? body : [body];
    const indicesHeader = headers[RECEIVED_HEADERS.indices];
    const indices = indicesHeader === undefined ? null : parseIndices(indicesHeader);
    const hasPositions = indices !== null && (items.length === 0 || indices.length === items.length);
    if (indicesHeader !== undefined && !hasPositions) {
      return malformed('the indices header does not match the number of visits');
    }
    const visitIds = headers[RECEIVED_HEADERS.visitIds]?.split(',') ?? null;
    if (visitIds !== null && (visitIds.length !== items.length || !visitIds.every(isUuid))) {
      return malformed('the visit_ids header does not have a UUID for each of the visits');
    }
    return validated(message, items, {
      batchId,
      projectId: projectId.toLowerCase(),
      traceparent: headers[RECEIVED_HEADERS.traceparent] ?? null,
      indices,
      visitIds,
      isSingle: !Array.isArray(body),
      bytes: bytes.length,
    });
  },

  size: ({ bytes }) => bytes,
  traceparent: ({ traceparent }) => traceparent,
};

/**
 * Parses JSON within {@link VISITS_JSON_LIMITS}.
 *
 * @throws Error if it exceeds them or is invalid.
 */
function parsed(text: string): unknown {
  const exceeded = exceededLimit(text, VISITS_JSON_LIMITS);
  if (exceeded !== null) throw new Error(`the value exceeds the limit of ${exceeded.limit} at byte ${exceeded.byte}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the value is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Turns items that aren't visits into dead letters. The gateway rejects such items, but others can write to the topic.
 */
function validated(
  message: ReceivedMessage,
  items: readonly unknown[],
  batch: Omit<ReceivedVisits, 'visits'>,
): Decoded<ReceivedVisits> {
  const mayBeTooLarge = message.value.length > VISIT_LIMITS.itemBytes;
  const visits: Visit[] = [];
  const valid: number[] = [];
  const deadLetters: DeadLetter[] = [];
  for (const [position, item] of items.entries()) {
    const fault = visitFault(item, { mayBeTooLarge });
    if (fault === null) {
      visits.push(item as Visit);
      valid.push(position);
      continue;
    }
    // Items nested too deep can't be serialized, so the dead letter contains the entire message. Its other items have
    // the same IDs if it's processed again, so they're recognized as duplicates.
    const isWhole = items.length === 1 || fault.reason === 'too_deep';
    const id = receivedVisitId(batch, position);
    const part = { index: batch.indices?.[position] ?? position, id, item };
    deadLetters.push(
      deadLetter(isWhole ? message : partOf(message, part), {
        reason: fault.reason,
        detail: formatFaults(fault.faults),
        step: STEP,
        projectId: batch.projectId,
        identity: id,
      }),
    );
  }
  if (deadLetters.length === 0) return { ok: true, value: { ...batch, visits } };
  const indices = valid.map((position) => batch.indices?.[position] ?? position);
  const visitIds = batch.visitIds && valid.map((position) => batch.visitIds![position]!);
  return { ok: true, value: { ...batch, visits, indices, visitIds, isSingle: false }, deadLetters };
}

/** Returns a copy of the message that contains only one item. */
function partOf(
  message: ReceivedMessage,
  { index, id, item }: { index: number; id: string; item: unknown },
): ReceivedMessage {
  const headers = { ...message.headers, [RECEIVED_HEADERS.indices]: formatIndices([index]) };
  if (RECEIVED_HEADERS.visitIds in headers) headers[RECEIVED_HEADERS.visitIds] = id;
  return { ...message, value: Buffer.from(JSON.stringify([item])), headers };
}

/** Returns the message of a posted item that isn't a visit, for its dead letter. */
export const encodedItem = (
  batch: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent'>,
  index: number,
  json: string,
): EncodedMessage => encodedMessage({ ...batch, indices: [index], visitIds: null }, json);

function encodedMessage(
  {
    batchId,
    projectId,
    traceparent,
    indices,
    visitIds,
  }: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent' | 'indices' | 'visitIds'>,
  json: string,
): EncodedMessage {
  const headers: Record<string, string> = {
    [RECEIVED_HEADERS.batchId]: batchId,
    [RECEIVED_HEADERS.projectId]: projectId,
    [RECEIVED_HEADERS.receivedAt]: new Date(timeOfId(batchId)).toISOString(),
  };
  if (traceparent !== null) headers[RECEIVED_HEADERS.traceparent] = traceparent;
  if (indices !== null) headers[RECEIVED_HEADERS.indices] = formatIndices(indices);
  if (visitIds !== null) headers[RECEIVED_HEADERS.visitIds] = visitIds.join(',');
  return { topic: TOPICS.visitsReceived, key: batchId, value: Buffer.from(json), headers };
}
const malformed = (detail: string): Decoded<never> => refused('malformed_message', detail, STEP);
