/** Peer: plain Fastify that parses JSON and responds with the contents of `TEXT_FILE`. */
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const text = readFileSync(process.env['TEXT_FILE']!, 'utf8');
const app = fastify({ bodyLimit: 5 * 1024 * 1024 });
app.post('/robots-txts', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(text));
process.stdout.write(`running at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
