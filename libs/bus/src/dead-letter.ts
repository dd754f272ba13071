import type { DeadLetterReason } from '#libs/contracts';
import { v5 } from 'uuid';
import type { ReceivedMessage } from './message.js';

/** UUID namespace of dead letter IDs. It makes IDs the same for redeliveries of the same failure. */
const ID_NAMESPACE = '6f0bd0f7-8a5c-4f0b-9d2f-1e1f5f0a7c11';
const MAX_DETAIL_CHARACTERS = 1_000;

/** A message that can never be processed. */
export interface DeadLetter {
  /** Dead letter ID, which is the same for each redelivery of the failure. */
  id: string;
  projectId: string | null;
  /** Topic of the rejected message. The key, value and headers below are also from that message. */
  topic: string;
  key: string | null;
  value: Buffer;
  headers: Record<string, string>;
  reason: string;
  detail: string;
  /** Name of the pipeline step that rejected the message. */
  step: string;
  /** Time of the rejection in RFC 3339 format. */
  failedAt: string;
  partition: number | null;
  offset: string | null;
}

export interface DeadLetterOptions {
  reason: DeadLetterReason;
  detail: string;
  step: string;
  projectId: string | null;
  /**
   * Identifies the failure, for example by visit ID. Default: the message's partition and offset, or its key and value
   * if it has no offset.
   */
  identity?: string;
}

export function createDeadLetter(
  { topic, key, value, headers, partition, offset }: ReceivedMessage,
  { reason, detail, step, projectId, identity }: DeadLetterOptions,
): DeadLetter {
  const defaultIdentity = offset === undefined ? `${key}:${value.toString('base64')}` : `${partition}:${offset}`;
  return {
    id: v5(`${topic}:${identity ?? defaultIdentity}`, ID_NAMESPACE),
    projectId,
    topic,
    key,
    value,
    headers,
    reason,
    detail: detail.slice(0, MAX_DETAIL_CHARACTERS),
    step,
    failedAt: new Date().toISOString(),
    partition: partition ?? null,
    offset: offset ?? null,
  };
}
