import { ApiError } from './client.js';

/**
 * Returns what a server says of a body as sentences, by the fields of a form: `/trusted_proxies/ranges/1` is about the
 * second line of `ranges`. `rest` is the error if the form has no field for part of it; it is shown for the whole form.
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
