import {
  findExceededLimit,
  formatFaults,
  formatIndices,
  isBatchId,
  isUuid,
  parseIndices,
  RECEIVED_HEADERS,
  getTimeFromId,
  TOPICS,
  VISIT_LIMITS,
  findVisitFault,
  createVisitId,
  VISITS_JSON_LIMITS,
  type Visit,
} from '#libs/contracts';
import { createDeadLetter, type DeadLetter } from '../dead-letter.js';
import type { EncodedMessage, ReceivedMessage } from '../message.js';
import { toDeadLetter } from '../outcome.js';
import type { DecodeResult, Topic } from '../topic.js';

const DECODE_STEP = 'enrichment:read-batch';

/** The valid visits in a request. */
export interface ReceivedVisits {
  batchId: string;
  projectId: string;
  traceparent: string | null;
  visits: readonly Visit[];
  /** Positions of the visits in the posted array. Null if none are missing, so the positions are 0 to n-1. */
  indices: readonly number[] | null;
  /**
   * IDs of the visits, if they may be posted again in another batch. Null if the IDs are derived from the batch ID and
   * position.
   */
  visitIds: readonly string[] | null;
  /** True if a single visit was posted as an object instead of an array. */
  isSingle: boolean;
  /** Approximate size of the visits' JSON in bytes. */
  bytes: number;
}

export const getReceivedVisitId = (
  { batchId, indices, visitIds }: Omit<ReceivedVisits, 'visits'>,
  position: number,
): string => visitIds?.[position] ?? createVisitId(batchId, indices?.[position] ?? position);

/** `visits.received.v1`: the visits in a request, as posted. */
export const RECEIVED_VISITS: Topic<ReceivedVisits> = {
  name: TOPICS.visitsReceived,

  encode({ visits, isSingle, ...batch }) {
    return encodeMessage(batch, JSON.stringify(isSingle ? visits[0] : visits));
  },

  decode(message) {
    const { headers, value: bytes } = message;
    const batchId = headers[RECEIVED_HEADERS.batchId];
    const projectId = headers[RECEIVED_HEADERS.projectId];
    if (batchId === undefined || !isBatchId(batchId))
      return rejectMalformed("the batch_id header is missing or isn't a batch ID");
    if (projectId === undefined || !isUuid(projectId))
      return rejectMalformed("the project_id header is missing or isn't a UUID");
    let body: unknown;
    try {
      body = parseBody(bytes.toString('utf8'));
    } catch (error) {
      return rejectMalformed((error as Error).message);
    }
    const items: unknown[] = Array.isArray(body) ? body : [body];
    const indicesHeader = headers[RECEIVED_HEADERS.indices];
    const indices = indicesHeader === undefined ? null : parseIndices(indicesHeader);
    const hasPositions = indices !== null && (items.length === 0 || indices.length === items.length);
    if (indicesHeader !== undefined && !hasPositions) {
      return rejectMalformed("the indices header doesn't match the number of visits");
    }
    const visitIds = headers[RECEIVED_HEADERS.visitIds]?.split(',') ?? null;
    if (visitIds !== null && (visitIds.length !== items.length || !visitIds.every(isUuid))) {
      return rejectMalformed('the visit_ids header must contain one UUID per visit');
    }
    return validateItems(message, items, {
      batchId,
      projectId: projectId.toLowerCase(),
      traceparent: headers[RECEIVED_HEADERS.traceparent] ?? null,
      indices,
      visitIds,
      isSingle: !Array.isArray(body),
      bytes: bytes.length,
    });
  },

  getSize: ({ bytes }) => bytes,
  getTraceparent: ({ traceparent }) => traceparent,
};

/**
 * Parses JSON within {@link VISITS_JSON_LIMITS}.
 *
 * @throws {Error} if the text exceeds the limits or is invalid.
 */
function parseBody(text: string): unknown {
  const exceeded = findExceededLimit(text, VISITS_JSON_LIMITS);
  if (exceeded !== null) throw new Error(`the value exceeds the ${exceeded.limit} limit at byte ${exceeded.byte}`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`the value isn't valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Turns items that aren't visits into dead letters. The gateway rejects such items, but it isn't the only producer. */
function validateItems(
  message: ReceivedMessage,
  items: readonly unknown[],
  batch: Omit<ReceivedVisits, 'visits'>,
): DecodeResult<ReceivedVisits> {
  const mayBeTooLarge = message.value.length > VISIT_LIMITS.itemBytes;
  const visits: Visit[] = [];
  const validPositions: number[] = [];
  const deadLetters: DeadLetter[] = [];
  for (const [position, item] of items.entries()) {
    const fault = findVisitFault(item, { mayBeTooLarge });
    if (fault === null) {
      visits.push(item as Visit);
      validPositions.push(position);
      continue;
    }
    // Items that are nested too deeply can't be serialized, so the dead letter contains the entire message. If it is
    // processed again, its other items have the same IDs and are recognized as duplicates.
    const isEntireMessage = items.length === 1 || fault.reason === 'too_deep';
    const id = getReceivedVisitId(batch, position);
    const itemPart = { index: batch.indices?.[position] ?? position, id, item };
    deadLetters.push(
      createDeadLetter(isEntireMessage ? message : createPartMessage(message, itemPart), {
        reason: fault.reason,
        detail: formatFaults(fault.faults),
        step: DECODE_STEP,
        projectId: batch.projectId,
        identity: id,
      }),
    );
  }
  if (deadLetters.length === 0) return { ok: true, value: { ...batch, visits } };
  const indices = validPositions.map((position) => batch.indices?.[position] ?? position);
  const visitIds = batch.visitIds && validPositions.map((position) => batch.visitIds![position]!);
  return { ok: true, value: { ...batch, visits, indices, visitIds, isSingle: false }, deadLetters };
}

/** Returns a copy of the message that contains only one item. */
function createPartMessage(
  message: ReceivedMessage,
  { index, id, item }: { index: number; id: string; item: unknown },
): ReceivedMessage {
  const headers = { ...message.headers, [RECEIVED_HEADERS.indices]: formatIndices([index]) };
  if (RECEIVED_HEADERS.visitIds in headers) headers[RECEIVED_HEADERS.visitIds] = id;
  return { ...message, value: Buffer.from(JSON.stringify([item])), headers };
}

/** Encodes a posted item that isn't a visit, for its dead letter. */
export const encodeItem = (
  batch: Pick<ReceivedVisits, 'batchId' | 'projectId' | 'traceparent'>,
  index: number,
  json: string,
): EncodedMessage => encodeMessage({ ...batch, indices: [index], visitIds: null }, json);

function encodeMessage(
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
    [RECEIVED_HEADERS.receivedAt]: new Date(getTimeFromId(batchId)).toISOString(),
  };
  if (traceparent !== null) headers[RECEIVED_HEADERS.traceparent] = traceparent;
  if (indices !== null) headers[RECEIVED_HEADERS.indices] = formatIndices(indices);
  if (visitIds !== null) headers[RECEIVED_HEADERS.visitIds] = visitIds.join(',');
  return { topic: TOPICS.visitsReceived, key: batchId, value: Buffer.from(json), headers };
}
const rejectMalformed = (detail: string): DecodeResult<never> => toDeadLetter('malformed_message', detail, DECODE_STEP);
