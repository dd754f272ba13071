/** Peer: plain Fastify that parses JSON and responds with 204. */
import fastify from 'fastify';

const app = fastify({ bodyLimit: 5 * 1024 * 1024 });
app.post('/visits', async (_request, reply) => reply.code(204).send());
process.stdout.write(`running at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
