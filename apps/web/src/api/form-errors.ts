import { ApiError } from './client.js';

/**
 * Returns error messages by form field. For example, the pointer `/trusted_proxies/ranges/1` refers to line 2 of the
 * `ranges` field. If any error doesn't match a field, `rest` is the whole error, to be shown for the form.
 */
export function formErrors(
  error: unknown,
  fields: readonly string[],
): { byField: Record<string, string>; rest: unknown } {
  const byField: Record<string, string> = {};
  const fieldErrors = error instanceof ApiError ? error.errors : [];
  let hasOtherErrors = fieldErrors.length === 0;
  for (const { pointer, detail } of fieldErrors) {
    const path = pointer.split('/');
    const fieldIndex = path.findLastIndex((name) => fields.includes(name));
    const lineIndex = path[fieldIndex + 1] ?? '';
    if (fieldIndex === -1) hasOtherErrors = true;
    else
      byField[path[fieldIndex]!] ??= toErrorSentence(
        detail,
        /^\d+$/.test(lineIndex) ? `Line ${Number(lineIndex) + 1}` : undefined,
      );
  }
  return { byField, rest: hasOtherErrors ? error : null };
}

/** Turns an error such as "must be a URL" into a sentence with a subject. */
export const toErrorSentence = (fault: string, subject = 'This field'): string =>
  `${subject} ${fault}${fault.endsWith('.') ? '' : '.'}`;
