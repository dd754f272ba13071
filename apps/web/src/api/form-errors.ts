import { ApiError } from './client.js';

/**
 * What a server says of a body's fields, by field: `/host_names/0` belongs to `host_names`. The rest, of no field that
 * the form has, is left for the form as a whole.
 */
export function formErrors(
  error: unknown,
  fields: readonly string[],
): { byField: Record<string, string>; rest: unknown } {
  const byField: Record<string, string> = {};
  let hasRest = !(error instanceof ApiError) || error.errors.length === 0;
  for (const { pointer, detail } of error instanceof ApiError ? error.errors : []) {
    const field = pointer.split('/')[1] ?? '';
    if (!fields.includes(field)) hasRest = true;
    else byField[field] ??= `It ${detail}.`;
  }
  return { byField, rest: hasRest ? error : null };
}
