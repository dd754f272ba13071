import { ok, warning, type Finding } from './finding.js';

/** A published address list, as the catalog last tried to fetch it. */
export interface ListReport {
  /** Why the last attempt failed; null when it did not, or is yet to come. */
  fault: string | null;
}

const SUBJECT = 'address lists';

/** Looks at the address lists that operators publish. Single ones fail now and then; all of them fail without a way out. */
export function checkLists(lists: readonly ListReport[]): Finding[] {
  const faults = lists.flatMap(({ fault }) => fault ?? []);
  const total = lists.length;
  if (faults.length === 0) return [ok(SUBJECT, `${total} lists, none of them failing`)];
  if (faults.length < total) return [ok(SUBJECT, `${faults.length} of ${total} lists are failing; System names them`)];
  return [
    warning(
      SUBJECT,
      `all ${total} lists are failing, such as: ${faults[0]}`,
      'Let the catalog reach the internet by https (port 443 and DNS), or set IP_LISTS_FILE. Until then agents cannot be verified by a list that was never fetched.',
    ),
  ];
}
