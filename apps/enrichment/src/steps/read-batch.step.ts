import {
  exceededLimit,
  faultLine,
  isBatchId,
  isUuid,
  parseIndices,
  RECEIVED_HEADERS,
  timeOfId,
  visitFault,
  visitId,
  VISITS_JSON_LIMITS,
  type Visit,
} from '#libs/contracts';
import { followingTrace, isRead, refused, valueBytes, type ReceivedMessage, type StepResult } from '#libs/bus';
import { envelopes, type Envelopes } from './enriched-message.step.js';

const STEP = 'enrichment:read-batch';

export interface ReceivedBatch extends Envelopes {
  id: string;
  projectId: string;
  /** Milliseconds since the epoch: the time in the batch id. */
  receivedAt: number;
  /** The same, RFC 3339. */
  receivedAtText: string;
  traceparent: string | null;
  /** With the ids that the visits take. */
  items: { index: number; id: string; item: unknown }[];
}

/** Opens a message of `visits.received.v1`, or says why it never can be. */
export function readBatch(message: ReceivedMessage): StepResult<ReceivedBatch> {
  const id = message.headers[RECEIVED_HEADERS.batchId];
  const projectId = message.headers[RECEIVED_HEADERS.projectId];
  if (id === undefined || !isBatchId(id)) return malformed('the batch_id header is missing or is not a batch id');
  if (projectId === undefined || !isUuid(projectId))
    return malformed('the project_id header is missing or is not a UUID');
  let body: unknown;
  try {
    body = isRead(message) ? message.json : parsed(message.value.toString('utf8'));
  } catch (error) {
    return malformed((error as Error).message);
  }
  const items: unknown[] = Array.isArray(body) ? body : [body];
  const indices = parseIndices(message.headers[RECEIVED_HEADERS.indices] ?? `0-${Math.max(0, items.length - 1)}`);
  if (indices === null || (items.length > 0 && indices.length !== items.length)) {
    return malformed('the indices header does not match the number of visits');
  }
  const visitIds = message.headers[RECEIVED_HEADERS.visitIds]?.split(',');
  if (visitIds !== undefined && (visitIds.length !== items.length || !visitIds.every(isUuid))) {
    return malformed('the visit_ids header does not have a UUID for each of the visits');
  }
  const receivedAt = timeOfId(id);
  const traceparent = followingTrace(message) ?? null;
  const value: ReceivedBatch = {
    id,
    projectId: projectId.toLowerCase(),
    receivedAt,
    receivedAtText: new Date(receivedAt).toISOString(),
    envelopeOf: envelopes(id, traceparent),
    traceparent,
    items: items.map((item, position) => {
      const index = indices[position]!;
      return { index, id: visitIds?.[position] ?? visitId(id, index), item };
    }),
    itemBytes: valueBytes(message) / Math.max(1, items.length),
  };
  return { ok: true, value };
}

/** @throws Error that says what is wrong. */
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
 * Takes an item as a visit, or says why it is not one; the gateway lets only visits pass, but others may write to the topic.
 *
 * @param mayBeTooLarge whether the message is larger than a visit may be, so that its items have to be measured.
 */
export function readVisit(item: unknown, mayBeTooLarge: boolean): StepResult<Visit> {
  const fault = visitFault(item, { mayBeTooLarge });
  return fault === null ? { ok: true, value: item as Visit } : refused(fault.reason, faultLine(fault.faults), STEP);
}

const malformed = (detail: string): StepResult<never> => refused('malformed_message', detail, STEP);
