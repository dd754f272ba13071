import { isDeeperThan } from './json-depth.js';
import type { Fault } from './problem.schema.js';
import type { DeadLetterReason } from './topics.js';
import { validator } from './validator.js';
import { VISIT_LIMITS, VisitSchema } from './visit.schema.js';

const visits = validator(VisitSchema);

/** Reason a value is not a valid visit. */
interface VisitFault {
  reason: Extract<DeadLetterReason, 'too_deep' | 'too_large' | 'invalid_visit'>;
  faults: Fault[];
}

interface VisitFaultOptions {
  /** JSON Pointer to the value. */
  pointer?: string;
  /**
   * Whether the value's size must be checked. This isn't necessary if the entire request body is smaller than the
   * maximum size of a visit.
   */
  mayBeTooLarge: boolean;
  /** Whether to explain an invalid visit, which is slower. Otherwise, the fault only states that it is not a visit. */
  isExplained?: boolean;
}

/** Checks whether a value is a valid visit. Returns the reason if it isn't, or null if it is. */
export function findVisitFault(
  value: unknown,
  { pointer = '', mayBeTooLarge, isExplained = true }: VisitFaultOptions,
): VisitFault | null {
  const { depth, itemBytes } = VISIT_LIMITS;
  if (isDeeperThan(value, depth)) {
    return { reason: 'too_deep', faults: [{ pointer, detail: `must not be nested more than ${depth} deep` }] };
  }
  if (mayBeTooLarge && Buffer.byteLength(JSON.stringify(value)) > itemBytes) {
    return { reason: 'too_large', faults: [{ pointer, detail: `must not be larger than ${itemBytes} bytes` }] };
  }
  if (visits.is(value)) return null;
  const faults = isExplained ? visits.faults(value, pointer) : [{ pointer, detail: 'is not a visit' }];
  return { reason: 'invalid_visit', faults };
}

/** Formats faults on a single line. */
export const formatFaults = (faults: readonly Fault[]): string =>
  faults.map(({ pointer, detail }) => `${pointer || '/'} ${detail}`).join('; ');
