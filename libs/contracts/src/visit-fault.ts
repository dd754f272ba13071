import { isDeeperThan } from './json-depth.js';
import type { Fault } from './problem.schema.js';
import type { DeadLetterReason } from './topics.js';
import { validator } from './validator.js';
import { VISIT_LIMITS, VisitSchema } from './visit.schema.js';

const visits = validator(VisitSchema);

/** Why a value is not a visit. */
interface VisitFault {
  reason: Extract<DeadLetterReason, 'too_deep' | 'too_large' | 'invalid_visit'>;
  faults: Fault[];
}

interface VisitFaultOptions {
  /** JSON Pointer to the value. */
  pointer?: string;
  /** Whether what the value came in is larger than a visit may be, so that the value has to be measured. */
  mayBeTooLarge: boolean;
  /** Explaining costs more than judging; without it, the fault is that the value is not a visit. */
  isExplained?: boolean;
}

/** Returns what keeps a value from being a visit; `null` for a {@link Visit}. */
export function visitFault(
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

/** Returns faults as one line. */
export const faultLine = (faults: readonly Fault[]): string =>
  faults.map(({ pointer, detail }) => `${pointer || '/'} ${detail}`).join('; ');
