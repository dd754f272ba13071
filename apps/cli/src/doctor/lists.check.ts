import { ok, warning, type Finding } from './finding.js';

/** Status of a published address list in the catalog. */
export interface ListReport {
  /** Error of the last fetch. Null if it succeeded, or if there was none yet. */
  fault: string | null;
  /** Time of the last successful fetch, or null. */
  fetched_at: unknown;
}

const SUBJECT = 'address lists';

/**
 * Warns if more address lists fail than work. A few failures are normal, but that many mean that the catalog can't
 * reach the internet.
 */
export function checkLists(lists: readonly ListReport[]): Finding[] {
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  const total = lists.length;
  if (faults.length === 0) return [ok(SUBJECT, `${total} lists, none of them failing`)];
  const detail = `${faults.length} of ${total} lists are failing`;
  // Lists that haven't been fetched yet count neither way.
  const working = lists.filter(({ fault, fetched_at: at }) => fault === null && at !== null).length;
  if (faults.length <= working) return [ok(SUBJECT, `${detail}; System names them`)];
  return [
    warning(
      SUBJECT,
      `${detail}, such as: ${faults[0]}`,
      'Let the catalog reach the internet by https (port 443 and DNS), or set IP_LISTS_FILE. Until then agents cannot be verified by a list that was never fetched.',
    ),
  ];
}
