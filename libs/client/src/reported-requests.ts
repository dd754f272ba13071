/**
 * Global symbol, so all copies of this package in a process share one registry. The registry maps each request to the
 * projects it was reported to.
 */
const REGISTRY = Symbol.for('@agent-traffic/client/reported-requests');

const shared = globalThis as { [REGISTRY]?: WeakMap<object, Set<string>> };

/**
 * Marks a request as reported to a project, so a site that registers the client twice reports each request once.
 *
 * @returns false if the request was already marked.
 */
export function claimReport(request: object, project: string): boolean {
  const requests = (shared[REGISTRY] ??= new WeakMap());
  const projects = requests.get(request) ?? new Set();
  if (projects.has(project)) return false;
  requests.set(request, projects.add(project));
  return true;
}

/**
 * Returns a text that marks a request as reported to a project if the request's object can't be shared. Visitors can't
 * forge it without the project's token.
 */
export async function createReportMark(project: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`reported ${project}`));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
