import { ok, warning, type Finding } from './finding.js';

/** Fetch status of a published address list. */
export interface ListReport {
  /** Error from the last fetch. Null if it succeeded or if the list hasn't been fetched yet. */
  fault: string | null;
  /** Time of the last successful fetch, or null if there was none. */
  fetched_at: unknown;
}

const SUBJECT = 'address lists';

/**
 * Warns if more address lists fail than succeed. A few failures are normal, but this many suggest that the catalog
 * service can't reach the internet.
 */
export function checkLists(lists: readonly ListReport[]): Finding[] {
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  const total = lists.length;
  if (faults.length === 0) return [ok(SUBJECT, `${total} lists, none failing`)];
  const detail = `${faults.length} of ${total} lists are failing`;
  // Lists that haven't been fetched yet count as neither failing nor working.
  const working = lists.filter(({ fault, fetched_at: at }) => fault === null && at !== null).length;
  if (faults.length <= working) return [ok(SUBJECT, `${detail}; see System in the dashboard`)];
  return [
    warning(
      SUBJECT,
      `${detail}, for example: ${faults[0]}`,
      'Allow the catalog service to access the internet over https (port 443 and DNS), or set IP_LISTS_FILE. Until then, agents are verified with the address ranges that came with this release.',
    ),
  ];
}
