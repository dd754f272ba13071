/**
 * Peer: handwritten Fastify service that sends one Kafka message per request, acknowledged by all replicas. It has no
 * authentication or validation.
 */
import fastify from 'fastify';
import kafkajs from 'kafkajs';

const kafka = new kafkajs.Kafka({
  brokers: process.env['KAFKA_BROKERS']!.split(','),
  sasl: { mechanism: 'plain', username: 'migrate', password: process.env['KAFKA_PASSWORD']! },
  logLevel: kafkajs.logLevel.NOTHING,
});
const topic = 'peer.visits';
const admin = kafka.admin();
await admin.connect();
await admin.createTopics({ topics: [{ topic, numPartitions: 12, replicationFactor: 1 }] });
await admin.disconnect();
const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
await producer.connect();
const app = fastify({ bodyLimit: 5 * 1024 * 1024 });
app.post('/visits', async ({ body }, reply) => {
  await producer.send({ topic, acks: -1, messages: [{ value: JSON.stringify(body) }] });
  return reply.code(204).send();
});
process.stdout.write(`running at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
