import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { TestResponse } from './app.js';
import type { Method } from './person.js';

export interface InjectedRequest {
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** Sends a request and reads the response. An event stream never ends, so it's aborted and `text` stays empty. */
export async function injectRequest(
  nest: NestFastifyApplication,
  request: InjectedRequest,
): Promise<Pick<TestResponse, 'status' | 'text' | 'headers'>> {
  const abortController = new AbortController();
  const response = await nest.inject({ ...request, payloadAsStream: true, signal: abortController.signal });
  let text = '';
  if (String(response.headers['content-type']).startsWith('text/event-stream')) abortController.abort();
  else for await (const chunk of response.stream()) text += String(chunk);
  return { status: response.statusCode, text, headers: response.headers };
}
