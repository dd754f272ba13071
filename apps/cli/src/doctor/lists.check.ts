import { ok, warning, type Finding } from './finding.js';

/** A published address list, as the catalog last tried to fetch it. */
export interface ListReport {
  /** Why the last attempt failed; null when it did not, or is yet to come. */
  fault: string | null;
  /** When an attempt last worked; null while none has. */
  fetched_at: unknown;
}

const SUBJECT = 'address lists';

/** Looks at the address lists that operators publish. Single ones fail now and then; most of them fail without a way out. */
export function checkLists(lists: readonly ListReport[]): Finding[] {
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  const total = lists.length;
  if (faults.length === 0) return [ok(SUBJECT, `${total} lists, none of them failing`)];
  const detail = `${faults.length} of ${total} lists are failing`;
  // Those that are yet to be fetched say nothing.
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
