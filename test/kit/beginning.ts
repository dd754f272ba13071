import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Answer } from './app.js';
import type { Method } from './person.js';

export interface Request {
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** Sends a request and reads the response. Server-sent events never end, so their `text` stays empty. */
export async function beginningOf(
  nest: NestFastifyApplication,
  request: Request,
): Promise<Pick<Answer, 'status' | 'text' | 'headers'>> {
  const aborted = new AbortController();
  const answer = await nest.inject({ ...request, payloadAsStream: true, signal: aborted.signal });
  let text = '';
  if (String(answer.headers['content-type']).startsWith('text/event-stream')) aborted.abort();
  else for await (const chunk of answer.stream()) text += String(chunk);
  return { status: answer.statusCode, text, headers: answer.headers };
}
