/**
 * Maps requests in progress to the projects they are reported to. Shared by all copies of this package in a process.
 */
const REGISTRY = Symbol.for('@agent-traffic/client/reported-requests');

const shared = globalThis as { [REGISTRY]?: WeakMap<object, Set<string>> };

/**
 * Marks a request as reported to a project, so a client that is registered twice reports it once.
 *
 * @returns false if it is already marked.
 */
export function claimReport(request: object, project: string): boolean {
  const requests = (shared[REGISTRY] ??= new WeakMap());
  const projects = requests.get(request) ?? new Set();
  if (projects.has(project)) return false;
  requests.set(request, projects.add(project));
  return true;
}
