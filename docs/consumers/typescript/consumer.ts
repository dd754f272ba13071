/**
 * Prints enriched visits, one per line, and later changes to them. Requires Node.js 24:
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

/** Only the fields that this example uses. Your instance documents all of them at `/docs/events`. */
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

/** IDs of recent visits. Only the first message of a visit counts: a repeat may carry a different identification. */
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
  // Visitors choose the path. Quoting it keeps line breaks out of the output.
  return `${occurred_at} ${result} ${agent_token ?? '-'} ${JSON.stringify(visit.request_path)}`;
}

function handleVisit(visit: EnrichedVisit): void {
  console.log(isRepeat(visit.id) ? `repeat ${visit.id}` : lineOf(visit));
}

/** A change overrides the visit, even if the visit arrives later. */
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

// kafkajs gave up. Exit, so the process supervisor can restart the program.
consumer.on('consumer.crash', ({ payload }) => {
  if (!payload.restart) fail(payload.error.message);
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  // Finishes the current message and commits its offset. The process then exits.
  process.once(signal, () => void consumer.disconnect());
}

await checkTopics(kafka, TOPICS);
await consumer.connect();
await consumer.subscribe({ topics: TOPICS, fromBeginning: true });
console.error(`reading ${TOPICS.join(', ')} as group ${groupId}`);
// Offsets are committed only after `handle` returns.
await consumer.run({ eachMessage: async ({ topic, message }) => handle(topic, message) });
