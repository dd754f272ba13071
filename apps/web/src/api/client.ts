import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type Problem = components['schemas']['Problem'];
export type Project = components['schemas']['Project'];
export type ProjectChange = components['schemas']['ProjectChange'];
export type AccessToken = components['schemas']['AccessToken'];
export type Visit = components['schemas']['TimelineVisit'];
export type User = components['schemas']['User'];
export type Role = components['schemas']['ProjectRole'];
export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type ProjectSummary = components['schemas']['ProjectSummaries']['summaries'][number];
export type HistogramMinute = components['schemas']['Histogram']['minutes'][number];
export type TestVisit = components['schemas']['SiteTestVisit'];
export type RefusedRequest = components['schemas']['RefusedRequest'];
export type Result = Visit['identification']['result'];

export const client = createClient<paths>({
  querySerializer: { array: { style: 'form', explode: true } },
});

/** What the server, or the way to it, refused; the message is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** 0 when nothing answered. */
    readonly status: number,
    message: string,
    /** What is wrong with the body, by JSON pointer. */
    readonly errors: NonNullable<Problem['errors']> = [],
    /** To look for in the logs. */
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

const OFFLINE = 'The server does not answer. Check the connection, and whether Agent Traffic is running.';

/** The answer's content. @throws ApiError with the problem's detail. */
export async function data<T>(answer: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const {
    data: content,
    error,
    response,
  } = await answer.catch(() => {
    throw new ApiError(0, OFFLINE);
  });
  if (response.ok) return content as T;
  throw apiError(response, error);
}

function apiError(response: Response, body: unknown): ApiError {
  const { detail, errors, instance } = (typeof body === 'object' && body !== null ? body : {}) as Partial<Problem>;
  const wait = Number(response.headers.get('retry-after'));
  const again = response.status === 429 && wait > 0 ? ` Try again in ${wait} s.` : '';
  const text = detail ?? `The server answered ${response.status} without saying why.`;
  return new ApiError(response.status, text + again, errors, instance);
}

/** The sentence to show for whatever went wrong. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
