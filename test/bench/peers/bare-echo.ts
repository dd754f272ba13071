/** Peer: plain Fastify that returns the JSON it receives. */
import fastify from 'fastify';

const app = fastify({ bodyLimit: 5 * 1024 * 1024 });
app.post('/agent-identifications', async ({ body }) => body);
process.stdout.write(`running at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
