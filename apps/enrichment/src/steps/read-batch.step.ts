import {
  exceededLimit,
  isBatchId,
  isDeeperThan,
  isUuid,
  parseIndices,
  RECEIVED_HEADERS,
  timeOfId,
  validator,
  VISIT_LIMITS,
  VISITS_JSON_LIMITS,
  VisitSchema,
  type Visit,
} from '#libs/contracts';
import type { Outcome, ReceivedMessage } from '#libs/bus';

const visits = validator(VisitSchema);
const STEP = 'enrichment:read-batch';

export interface ReceivedBatch {
  id: string;
  projectId: string;
  /** Milliseconds since the epoch: the time in the batch id. */
  receivedAt: number;
  traceparent: string | null;
  items: { index: number; item: unknown }[];
}

type DeadLetter = Extract<Outcome, { kind: 'dead-letter' }>;

/** Opens a message of `visits.received.v1`, or says why it never can be. */
export function readBatch(message: ReceivedMessage): ReceivedBatch | DeadLetter {
  const id = message.headers[RECEIVED_HEADERS.batchId];
  const projectId = message.headers[RECEIVED_HEADERS.projectId];
  if (id === undefined || !isBatchId(id)) return malformed('the batch_id header is missing or no batch id');
  if (projectId === undefined || !isUuid(projectId)) return malformed('the project_id header is missing or no UUID');
  const text = message.value.toString('utf8');
  const exceeded = exceededLimit(text, VISITS_JSON_LIMITS);
  if (exceeded !== null) return malformed(`the value exceeds the limit of ${exceeded.limit} at byte ${exceeded.byte}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return malformed(`the value is not JSON: ${(error as Error).message}`);
  }
  const items: unknown[] = Array.isArray(body) ? body : [body];
  const indices = parseIndices(message.headers[RECEIVED_HEADERS.indices] ?? `0-${Math.max(0, items.length - 1)}`);
  if (indices === null || (items.length > 0 && indices.length !== items.length)) {
    return malformed('the indices header does not fit the number of visits');
  }
  return {
    id,
    projectId: projectId.toLowerCase(),
    receivedAt: timeOfId(id),
    traceparent: message.headers[RECEIVED_HEADERS.traceparent] ?? null,
    items: items.map((item, position) => ({ index: indices[position]!, item })),
  };
}

/**
 * The item as a visit, or why it is none; the gateway lets no such item pass, but others may write to the topic.
 *
 * @param mayBeTooLarge whether the message is larger than a visit may be, so that its items have to be measured.
 */
export function readVisit(item: unknown, mayBeTooLarge: boolean): Visit | DeadLetter {
  if (isDeeperThan(item, VISIT_LIMITS.depth)) {
    return {
      kind: 'dead-letter',
      reason: 'too_deep',
      detail: `nested more than ${VISIT_LIMITS.depth} deep`,
      step: STEP,
    };
  }
  if (mayBeTooLarge && Buffer.byteLength(JSON.stringify(item)) > VISIT_LIMITS.itemBytes) {
    return {
      kind: 'dead-letter',
      reason: 'too_large',
      detail: `larger than ${VISIT_LIMITS.itemBytes} bytes`,
      step: STEP,
    };
  }
  if (visits.is(item)) return item as Visit;
  const faults = visits.faults(item).map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
  return { kind: 'dead-letter', reason: 'invalid_visit', detail: faults.join('; '), step: STEP };
}

const malformed = (detail: string): DeadLetter => ({
  kind: 'dead-letter',
  reason: 'malformed_message',
  detail,
  step: STEP,
});
