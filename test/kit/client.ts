import type { EnrichedVisit, Problem } from '#libs/contracts';

export { CREDENTIALS, CREDENTIALS_ENV } from './credentials.js';

/** Embedded or distributed deployment under test. */
export interface Target {
  url: string;
  /** Base URL of the console API, if it differs from `url`. */
  consoleUrl?: string;
  accessToken: string;
  /** ID of the access token's project. Default: the first project visible to the API key. */
  projectId?: string;
  apiKey: string;
}

export const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
export const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/** Returns a Googlebot visit with only the required fields. */
export const visit = (path: string, extra: object = {}) => ({
  request_path: path,
  request_method: 'GET',
  request_headers: { 'user-agent': GOOGLEBOT, 'x-forwarded-for': '203.0.113.7' },
  ...extra,
});

export class Client {
  constructor(readonly target: Target) {}

  async post(
    path: string,
    body: unknown,
    { token = this.target.accessToken, headers = {} }: { token?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return fetch(this.target.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
    });
  }

  /**
   * Calls the console API. Returns null for a 204 response.
   *
   * @throws {Error} if the response has an error status
   */
  async api<T>(path: string, { method = 'GET', body, key = this.target.apiKey }: ApiOptions = {}): Promise<T> {
    const response = await this.apiResponse(path, { method, body, key });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? null : await response.json()) as T;
  }

  async apiResponse(
    path: string,
    { method = 'GET', body, key = this.target.apiKey }: ApiOptions = {},
  ): Promise<Response> {
    return fetch(`${this.target.consoleUrl ?? this.target.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  async projectId(): Promise<string> {
    if (this.target.projectId !== undefined) return this.target.projectId;
    const { projects } = await this.api<{ projects: { id: string }[] }>('/projects');
    return projects[0]!.id;
  }

  /** Returns all matching visits from the timeline, newest first. */
  async visits(query: Record<string, string> = {}, projectId?: string): Promise<EnrichedVisit[]> {
    const id = projectId ?? (await this.projectId());
    const visits: EnrichedVisit[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const parameters = new URLSearchParams({ limit: '1000', ...query, ...(cursor && { cursor }) });
      const page: { visits: EnrichedVisit[]; next_cursor: string | null } = await this.api(
        `/projects/${id}/visits?${parameters}`,
      );
      visits.push(...page.visits);
      cursor = page.next_cursor;
    }
    return visits;
  }
}

interface ApiOptions {
  method?: string;
  body?: unknown;
  key?: string;
}

export const readProblem = async (response: Response): Promise<Problem> => (await response.json()) as Problem;
