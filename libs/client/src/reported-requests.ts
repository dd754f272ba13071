/** Requests in progress, each with the projects that it is reported to. Copies of this package in a process share them. */
const REGISTRY = Symbol.for('@agent-traffic/client/reported-requests');

const shared = globalThis as { [REGISTRY]?: WeakMap<object, Set<string>> };

/**
 * Marks a request as reported to a project, so that a client that is registered twice reports it once.
 *
 * @returns false if it is marked already.
 */
export function claimReport(request: object, project: string): boolean {
  const requests = (shared[REGISTRY] ??= new WeakMap());
  const projects = requests.get(request) ?? new Set();
  if (projects.has(project)) return false;
  requests.set(request, projects.add(project));
  return true;
}
