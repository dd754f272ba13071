import {
  IdentificationRequestSchema,
  MAX_FAULTS,
  MAX_IDENTIFICATIONS,
  validator,
  type Fault,
  type IdentificationRequest,
} from '#libs/contracts';
import { ProblemError } from '#libs/platform';

const identification = validator(IdentificationRequestSchema);

/**
 * Validates a body that contains either a single identification request or an array.
 *
 * @throws {ProblemError} 422 if there are too many items, or listing the invalid ones.
 */
export function identificationItems(body: unknown): readonly IdentificationRequest[] {
  if (!Array.isArray(body)) {
    if (identification.is(body)) return [body];
    throw invalidBody('The request body must be an identification request.', identification.faults(body));
  }
  if (body.length > MAX_IDENTIFICATIONS) {
    throw invalidBody(`A request carries ${MAX_IDENTIFICATIONS} items at most, not ${body.length}.`, [
      { pointer: '', detail: `must have ${MAX_IDENTIFICATIONS} items or fewer` },
    ]);
  }
  if (body.every((item) => identification.is(item))) return body;
  const faults = body.flatMap((item, index) => identification.faults(item, `/${index}`));
  throw invalidBody('Every item must be an identification request.', faults.slice(0, MAX_FAULTS));
}

const invalidBody = (detail: string, errors: Fault[]): ProblemError =>
  new ProblemError('invalid-body', detail, { errors });
