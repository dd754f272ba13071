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
  /** Whether the enclosing body exceeds the maximum visit size, so the value has to be measured. */
  mayBeTooLarge: boolean;
  /** Whether to explain an invalid visit, which is slower. Otherwise, the fault only states that it is not a visit. */
  isExplained?: boolean;
}

/** Returns why a value is not a valid visit, or null if it is. */
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

/** Formats faults as one line. */
export const formatFaults = (faults: readonly Fault[]): string =>
  faults.map(({ pointer, detail }) => `${pointer || '/'} ${detail}`).join('; ');
