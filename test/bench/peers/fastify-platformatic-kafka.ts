/** Peer: like `fastify-kafkajs.ts`, but with @platformatic/kafka instead of kafkajs. */
import fastify from 'fastify';
import { requireTool } from '../../kit/tools.ts';

interface PlatformaticKafka {
  Producer: new (options: object) => { send(options: object): Promise<unknown> };
  ProduceAcks: { ALL: number };
  stringSerializers: object;
}

const { ProduceAcks, Producer, stringSerializers } = requireTool('@platformatic/kafka') as PlatformaticKafka;

const producer = new Producer({
  clientId: 'peer',
  bootstrapBrokers: process.env['KAFKA_BROKERS']!.split(','),
  sasl: { mechanism: 'PLAIN', username: 'migrate', password: process.env['KAFKA_PASSWORD']! },
  serializers: stringSerializers,
});
const app = fastify({ bodyLimit: 5 * 1024 * 1024 });
app.post('/visits', async ({ body }, reply) => {
  await producer.send({ acks: ProduceAcks.ALL, messages: [{ topic: 'peer.visits', value: JSON.stringify(body) }] });
  return reply.code(204).send();
});
process.stdout.write(`running at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
