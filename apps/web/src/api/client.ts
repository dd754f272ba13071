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
  RefusedRequest,
  SiteTestVisit,
  TimelineVisit,
  User,
} from '#libs/contracts';

export type { AccessToken, Invitation, Member, Project, ProjectChange, RefusedRequest, User };

export type Visit = TimelineVisit;
export type Role = ProjectRole;
export type ProjectSummary = ProjectSummaries['summaries'][number];
export type HistogramMinute = Histogram['minutes'][number];
export type TestVisit = SiteTestVisit;

export const client = createClient<ConsolePaths>({
  querySerializer: { array: { style: 'form', explode: true } },
});

/** Asks the user to confirm their identity. Returns whether they did. */
type AskToConfirm = () => Promise<boolean>;

/** Headers of requests that must not prompt the user to confirm their identity. The server ignores them. */
export const UNASKED = { 'X-Unasked': 'true' };

let askToConfirm: AskToConfirm | null = null;
export const setAskToConfirm = (ask: AskToConfirm | null): void => void (askToConfirm = ask);

/** Unread copies of sent requests. A body can only be read once. */
const copies = new WeakMap<Request, Request>();

client.use({
  onRequest: ({ request }) => void copies.set(request, request.clone()),
  // If a request requires confirmation, asks the user to confirm their identity and sends it again.
  async onResponse({ request, response }) {
    if (response.status !== 403 || askToConfirm === null || request.headers.has('X-Unasked')) return undefined;
    // A proxy can respond with 403, too, with its own error page.
    const problem = (await response
      .clone()
      .json()
      .catch(() => ({}))) as Partial<Problem>;
    if (problem.type !== '/docs/problems#confirmation-required' || !(await askToConfirm())) return undefined;
    return fetch(copies.get(request)!);
  },
});

/** Error from the server, a proxy or the network. The message is shown to the user. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    /** 0 if there was no response. */
    readonly status: number,
    message: string,
    /** Faults in the body, by JSON pointer. */
    readonly errors: NonNullable<Problem['errors']> = [],
    /** ID to search for in the logs. */
    readonly requestId: string | null = null,
    /** Current state of the resource, after a version conflict. */
    readonly current?: Readonly<Record<string, unknown>>,
    readonly type?: string,
  ) {
    super(message);
  }
}

/** Content with its version. Changes send the version that they are based on. */
export type Versioned<T> = T & { readonly etag: string | null };

const versionOf = <T>(content: T, response: Response): Versioned<T> => ({
  ...content,
  etag: response.headers.get('etag'),
});

const OFFLINE = 'The server does not answer. Check the connection, and whether Agent Traffic is running.';

type Answer<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** Returns the content of a response. @throws ApiError with the problem's detail. */
export async function data<T>(answer: Answer<T>): Promise<T> {
  return (await settled(answer)).content;
}

/** Like {@link data}, with the version of the content. */
export async function versioned<T>(answer: Answer<T>): Promise<Versioned<T>> {
  const { content, response } = await settled(answer);
  return versionOf(content, response);
}

async function settled<T>(answer: Answer<T>): Promise<{ content: T; response: Response }> {
  const {
    data: content,
    error,
    response,
  } = await answer.catch(() => {
    throw new ApiError(0, OFFLINE);
  });
  if (response.ok) return { content: content as T, response };
  throw apiError(response, error);
}

function apiError(response: Response, body: unknown): ApiError {
  const { detail, errors, instance, current, type } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Partial<Problem>;
  const wait = Number(response.headers.get('retry-after'));
  const again = response.status === 429 && wait > 0 ? ` Try again in ${wait} s.` : '';
  const text = detail ?? `The server answered ${response.status} without saying why.`;
  const now = current as Record<string, unknown> | undefined;
  return new ApiError(response.status, text + again, errors, instance, now && versionOf(now, response), type);
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
