import createClient from 'openapi-fetch';
import type {
  AccessToken,
  ConsolePaths,
  Histogram,
  Invitation,
  Member,
  Problem,
  Project,
  ProjectChange,
  ProjectRole,
  ProjectSummaries,
  RejectedRequest,
  SiteTestVisit,
  TimelineVisit,
  User,
} from '#libs/contracts';

export type { AccessToken, Invitation, Member, Project, ProjectChange, RejectedRequest, User };

export type Visit = TimelineVisit;
export type Role = ProjectRole;
export type ProjectSummary = ProjectSummaries['summaries'][number];
export type HistogramMinute = Histogram['minutes'][number];
export type TestVisit = SiteTestVisit;

export const client = createClient<ConsolePaths>({
  querySerializer: { array: { style: 'form', explode: true } },
});

/** Prompts the user to confirm their identity. Resolves to false if they cancel. */
type ConfirmationPrompt = () => Promise<boolean>;

/** Request headers that suppress the identity prompt on a 403 response. The server ignores them. */
export const NO_CONFIRMATION_PROMPT = { 'X-Unasked': 'true' };

let confirmationPrompt: ConfirmationPrompt | null = null;
export const setConfirmationPrompt = (prompt: ConfirmationPrompt | null): void => void (confirmationPrompt = prompt);

const BODYLESS_METHODS = new Set(['GET', 'DELETE']);

/** Clones of sent requests, for resending. A request body can only be read once. */
const requestCopies = new WeakMap<Request, Request>();

client.use({
  onRequest({ request: original }) {
    // The server requires JSON, even for operations without a body.
    const request =
      BODYLESS_METHODS.has(original.method) || original.headers.has('Content-Type')
        ? original
        : new Request(original, {
            method: original.method,
            body: '{}',
            headers: [...original.headers, ['Content-Type', 'application/json']],
          });
    requestCopies.set(request, request.clone());
    return request;
  },
  // If the server requires confirmation, prompts the user and resends the request.
  async onResponse({ request, response }) {
    if (response.status !== 403 || confirmationPrompt === null || request.headers.has('X-Unasked')) return undefined;
    // A proxy can also return 403, with its own HTML error page.
    const problem = (await response
      .clone()
      .json()
      .catch(() => ({}))) as Partial<Problem>;
    if (problem.type !== '/docs/problems#confirmation-required' || !(await confirmationPrompt())) return undefined;
    return fetch(requestCopies.get(request)!);
  },
});

/** Error from the server, a proxy or the network. Users see its message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** HTTP status code, or 0 if there was no response. */
    readonly status: number,
    message: string,
    /** Validation errors, each with a JSON pointer into the request body. */
    readonly errors: NonNullable<Problem['errors']> = [],
    /** Request ID to search for in the server logs. */
    readonly requestId: string | null = null,
    /** The resource's current state, set after a version conflict. */
    readonly current?: Readonly<Record<string, unknown>>,
    readonly type?: string,
  ) {
    super(message);
  }
}

/** Response content with its ETag. Later changes send the ETag as `If-Match`. */
export type Versioned<T> = T & { readonly etag: string | null };

const withEtag = <T>(content: T, response: Response): Versioned<T> => ({
  ...content,
  etag: response.headers.get('etag'),
});

const OFFLINE_MESSAGE = 'Can’t reach the server. Check your connection and make sure Agent Traffic is running.';

type PendingResponse<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/**
 * Returns the response content.
 *
 * @throws {ApiError} if there's no response or its status isn't 2xx.
 */
export async function data<T>(pendingResponse: PendingResponse<T>): Promise<T> {
  return (await unwrapResponse(pendingResponse)).content;
}

/** Like {@link data}, but includes the ETag. */
export async function versioned<T>(pendingResponse: PendingResponse<T>): Promise<Versioned<T>> {
  const { content, response } = await unwrapResponse(pendingResponse);
  return withEtag(content, response);
}

async function unwrapResponse<T>(pendingResponse: PendingResponse<T>): Promise<{ content: T; response: Response }> {
  const {
    data: content,
    error,
    response,
  } = await pendingResponse.catch(() => {
    throw new ApiError(0, OFFLINE_MESSAGE);
  });
  if (response.ok) return { content: content as T, response };
  throw toApiError(response, error);
}

function toApiError(response: Response, body: unknown): ApiError {
  const { detail, errors, instance, current, type } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Partial<Problem>;
  const retryAfterSeconds = Number(response.headers.get('retry-after'));
  const retryHint = response.status === 429 && retryAfterSeconds > 0 ? ` Try again in ${retryAfterSeconds} s.` : '';
  const text = detail ?? `The server returned an unexpected error (status ${response.status}). Check the server logs.`;
  const currentContent = current as Record<string, unknown> | undefined;
  return new ApiError(
    response.status,
    text + retryHint,
    errors,
    instance,
    currentContent && withEtag(currentContent, response),
    type,
  );
}

export const toErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
