import type { DeadLetterReason } from '#libs/contracts';
import { v5 } from 'uuid';
import type { ReceivedMessage } from './message.js';

/** Namespace of dead letters' IDs: the same failure has the same ID, however often it is delivered. */
const NAMESPACE = '6f0bd0f7-8a5c-4f0b-9d2f-1e1f5f0a7c11';
const MAX_DETAIL_CHARACTERS = 1_000;

/** A message that can never be processed. */
export interface DeadLetter {
  /** ID that every redelivery of the same failure shares. */
  id: string;
  projectId: string | null;
  /** Topic, key, value and headers of the message. */
  topic: string;
  key: string | null;
  value: Buffer;
  headers: Record<string, string>;
  reason: string;
  /** A sentence for people. */
  detail: string;
  /** Name of the pipeline step that rejected it. */
  step: string;
  /** RFC 3339. */
  failedAt: string;
  partition: number | null;
  offset: string | null;
}

export interface DeadLetterOptions {
  reason: DeadLetterReason;
  detail: string;
  step: string;
  projectId: string | null;
  /** Distinguishes this failure from others, such as a visit's ID. Default: the message's offset or bytes. */
  identity?: string;
}

/** Returns the dead letter of a message. */
export function deadLetter(
  { topic, key, value, headers, partition, offset }: ReceivedMessage,
  { reason, detail, step, projectId, identity }: DeadLetterOptions,
): DeadLetter {
  const position = offset === undefined ? `${key}:${value.toString('base64')}` : `${partition}:${offset}`;
  return {
    id: v5(`${topic}:${identity ?? position}`, NAMESPACE),
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
