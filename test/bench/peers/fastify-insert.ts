/**
 * Peer: handwritten Fastify service that runs one INSERT per request. It has no authentication, validation,
 * identification, or counts.
 */
import fastify from 'fastify';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
await pool.query(`CREATE TABLE IF NOT EXISTS bare_visits (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, path text, status double precision, document json)`);
interface Visit {
  request_path: string;
  response_status_code: number;
}
const app = fastify({ bodyLimit: 5 * 1024 * 1024 });
app.post<{ Body: Visit[] }>('/visits', async ({ body }, reply) => {
  await pool.query(
    `INSERT INTO bare_visits (path, status, document) SELECT * FROM unnest($1::text[], $2::float8[], $3::json[])`,
    [
      body.map((visit) => visit.request_path),
      body.map((visit) => visit.response_status_code),
      body.map((visit) => JSON.stringify(visit)),
    ],
  );
  return reply.code(204).send();
});
process.stdout.write(`running at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
