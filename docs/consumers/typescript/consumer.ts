/**
 * Prints visits as they are enriched, one a line. Node.js 24:
 *
 *   npm install
 *   KAFKA_BROKERS=localhost:9092 GROUP_ID=my-service npm start
 *
 * connection.ts reads TLS and SASL from the environment.
 */
import type { KafkaMessage } from 'kafkajs';
import { checkTopics, connect, fail, required } from './connection.ts';

const TOPICS = ['visits.enriched.v1'];

/** As much of a message as is used here; `/docs/events` of your instance has all of it. */
interface EnrichedVisit {
  id: string;
  occurred_at: string;
  visit: { request_path: string };
  identification: { result: string; agent_token: string | null };
}

/** Ids seen lately: what comes again is a repeat. */
const seen = new Set<string>();
const SEEN_LIMIT = 100_000;

function isRepeat(id: string): boolean {
  if (seen.has(id)) return true;
  seen.add(id);
  if (seen.size > SEEN_LIMIT) seen.delete(seen.values().next().value!); // the oldest
  return false;
}

function handle(message: KafkaMessage): void {
  const { id, occurred_at, visit, identification } = JSON.parse(message.value!.toString()) as EnrichedVisit;
  if (isRepeat(id)) {
    console.log(`repeat ${id}`);
    return;
  }
  const { result, agent_token } = identification;
  // Paths are what strangers sent: quoted, a line stays a line.
  console.log(`${occurred_at} ${result} ${agent_token ?? '-'} ${JSON.stringify(visit.request_path)}`);
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
await consumer.run({ eachMessage: async ({ message }) => handle(message) });
