import { MAX_FAULTS, VISIT_LIMITS, findVisitFault, type Fault, type Visit } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

export interface RejectedItem {
  /** Index in the posted array. */
  index: number;
  item: unknown;
  faults: Fault[];
}

export interface ValidVisit {
  /** Index in the posted array. */
  index: number;
  visit: Visit;
  /** Maximum size of the visit's JSON in bytes, if known. */
  bytes?: number | undefined;
}

interface SortedItems {
  valid: ValidVisit[];
  refused: RejectedItem[];
}

/**
 * Separates a body's valid visits from its invalid items.
 *
 * @param body Parsed body: a visit or an array of visits.
 * @param bytes Body size in bytes. Items are only measured if the body exceeds the item limit.
 * @throws {ProblemError} 422 if the body isn't an object or array, or contains too many items.
 */
export function sortItems(body: unknown, bytes: number): SortedItems {
  if (typeof body !== 'object' || body === null) {
    throw invalidBody('The request body must be a visit or an array of visits.', [
      { pointer: '', detail: 'must be an object or an array' },
    ]);
  }
  const isArray = Array.isArray(body);
  const items: unknown[] = isArray ? body : [body];
  if (items.length > VISIT_LIMITS.items) {
    throw invalidBody(`A request carries ${VISIT_LIMITS.items} visits at most, not ${items.length}.`, [
      { pointer: '', detail: `must have ${VISIT_LIMITS.items} items or fewer` },
    ]);
  }
  const valid: SortedItems['valid'] = [];
  const refused: RejectedItem[] = [];
  const mayBeTooLarge = bytes > VISIT_LIMITS.itemBytes;
  for (const [index, item] of items.entries()) {
    const pointer = isArray ? `/${index}` : '';
    const fault = findVisitFault(item, { pointer, mayBeTooLarge, isExplained: refused.length < MAX_FAULTS });
    if (fault === null) valid.push({ index, visit: item as Visit });
    else refused.push({ index, item, faults: fault.faults });
  }
  return { valid, refused };
}

export function noValidVisit(refused: readonly RejectedItem[]): ProblemError {
  const summary = refused.length === 1 ? 'The visit is not valid' : `None of the ${refused.length} visits is valid`;
  return invalidBody(`${summary}; nothing was recorded.`, refused.flatMap((item) => item.faults).slice(0, MAX_FAULTS));
}

const invalidBody = (detail: string, errors: Fault[]): ProblemError =>
  new ProblemError('invalid-body', detail, { errors });
