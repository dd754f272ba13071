import { ApiError } from './client.js';

/**
 * Returns error messages by form field. The pointer `/trusted_proxies/ranges/1` is about line 2 of the field `ranges`.
 * If part of the error has no field, `rest` is the error to show for the entire form.
 */
export function formErrors(
  error: unknown,
  fields: readonly string[],
): { byField: Record<string, string>; rest: unknown } {
  const byField: Record<string, string> = {};
  const faults = error instanceof ApiError ? error.errors : [];
  let hasRest = faults.length === 0;
  for (const { pointer, detail } of faults) {
    const path = pointer.split('/');
    const at = path.findLastIndex((name) => fields.includes(name));
    const index = path[at + 1] ?? '';
    if (at === -1) hasRest = true;
    else byField[path[at]!] ??= faultSentence(detail, /^\d+$/.test(index) ? `Line ${Number(index) + 1}` : undefined);
  }
  return { byField, rest: hasRest ? error : null };
}

/** Returns a fault such as "must be a URL" as a sentence. */
export const faultSentence = (fault: string, subject = 'This field'): string =>
  `${subject} ${fault}${fault.endsWith('.') ? '' : '.'}`;
