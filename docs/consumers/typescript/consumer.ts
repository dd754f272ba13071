/**
 * Prints visits as they are enriched, one a line, and what becomes of them later. Node.js 24:
 *
 *   npm install
 *   KAFKA_BROKERS=localhost:9092 GROUP_ID=my-service npm start
 *
 * connection.ts reads TLS and SASL from the environment.
 */
import type { KafkaMessage } from 'kafkajs';
import { checkTopics, connect, fail, required } from './connection.ts';

const ENRICHED = 'visits.enriched.v1';
const CHANGED = 'visits.changed.v1';
const TOPICS = [ENRICHED, CHANGED];

/** As much of a message as is used here; `/docs/events` of your instance has all of it. */
interface EnrichedVisit {
  id: string;
  occurred_at: string;
  visit: { request_path: string };
  identification: { result: string; agent_token: string | null };
}

interface VisitChange {
  change: 'reidentified' | 'erased' | 'project_removed' | (string & {});
  project_id: string;
  visit_id: string | null;
  enriched_visit?: EnrichedVisit;
}

/** Recent IDs. The first message of a visit counts: a repeat can have another identification. */
const seen = new Set<string>();
const SEEN_LIMIT = 100_000;

function isRepeat(id: string): boolean {
  if (seen.has(id)) return true;
  seen.add(id);
  if (seen.size > SEEN_LIMIT) seen.delete(seen.values().next().value!); // the oldest
  return false;
}

function lineOf({ occurred_at, visit, identification }: EnrichedVisit): string {
  const { result, agent_token } = identification;
  // Strangers choose paths: quoted, a line stays a line.
  return `${occurred_at} ${result} ${agent_token ?? '-'} ${JSON.stringify(visit.request_path)}`;
}

function handleVisit(visit: EnrichedVisit): void {
  console.log(isRepeat(visit.id) ? `repeat ${visit.id}` : lineOf(visit));
}

/** A change overrides the visit, also if the visit arrives later. */
function handleChange({ change, project_id, visit_id, enriched_visit }: VisitChange): void {
  if (visit_id !== null) isRepeat(visit_id);
  if (change === 'reidentified') console.log(`changed ${lineOf(enriched_visit!)}`);
  else if (change === 'erased') console.log(`erased ${visit_id}`);
  else if (change === 'project_removed') console.log(`removed ${project_id}`);
}

function handle(topic: string, { value }: KafkaMessage): void {
  const event = JSON.parse(value!.toString());
  if (topic === CHANGED) handleChange(event as VisitChange);
  else handleVisit(event as EnrichedVisit);
}

const groupId = required('GROUP_ID');
const kafka = connect(groupId);
const consumer = kafka.consumer({ groupId, maxBytesPerPartition: 3 * 1024 * 1024 });

// An error that it cannot recover from: leave the restart to whatever runs this.
consumer.on('consumer.crash', ({ payload }) => {
  if (!payload.restart) fail(payload.error.message);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // Finishes the message at hand and commits; then nothing keeps the process.
  process.once(signal, () => void consumer.disconnect());
}

await checkTopics(kafka, TOPICS);
await consumer.connect();
await consumer.subscribe({ topics: TOPICS, fromBeginning: true });
console.error(`reading ${TOPICS.join(', ')} as group ${groupId}`);
// Offsets are committed only of messages that `handle` came back from.
await consumer.run({ eachMessage: async ({ topic, message }) => handle(topic, message) });
