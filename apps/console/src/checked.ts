import type { Validator } from '#libs/contracts';
import { ProblemError } from '#libs/platform';

/** The body, once it fits. @throws ProblemError 422 with every fault. */
export function checked<T>(schema: Validator<T>, body: unknown): T {
  if (schema.is(body)) return body;
  const errors = schema.faults(body);
  const detail = errors.map(({ pointer, detail }) => `${pointer || 'the body'} ${detail}`).join('; ');
  throw new ProblemError('invalid-body', `The body does not fit: ${detail}.`, { errors });
}
