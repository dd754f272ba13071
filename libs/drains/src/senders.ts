import type { DrainSender } from './sender.js';
import { akamai } from './senders/akamai.js';
import { awsFirehose } from './senders/aws-firehose.js';
import { cloudflareLogpush } from './senders/cloudflare-logpush.js';
import { fastly } from './senders/fastly.js';
import { fluentBit } from './senders/fluent-bit.js';
import { json } from './senders/json.js';
import { netlify } from './senders/netlify.js';
import { opentelemetry } from './senders/opentelemetry.js';
import { vector } from './senders/vector.js';
import { vercel } from './senders/vercel.js';

const SENDERS = [
  cloudflareLogpush,
  vercel,
  netlify,
  fastly,
  akamai,
  awsFirehose,
  vector,
  fluentBit,
  opentelemetry,
  json,
] as const;

/** Last path segment of `/drains/{source}`, which identifies the sender. */
export type DrainSource = (typeof SENDERS)[number]['name'];

/** All senders, in the order shown in the dashboard and the API reference. */
export const DRAIN_SENDERS: readonly (DrainSender & { name: DrainSource })[] = SENDERS;

export const DRAIN_SOURCES: readonly DrainSource[] = DRAIN_SENDERS.map(({ name }) => name);

export function getDrainSender(source: DrainSource): DrainSender & { name: DrainSource } {
  return DRAIN_SENDERS.find(({ name }) => name === source)!;
}
