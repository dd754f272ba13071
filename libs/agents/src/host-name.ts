/** Maximum lengths of a host name and of a label, in characters (RFC 1035 section 2.3.4). */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Letters, digits and inner hyphens (RFC 1123 section 2.1). */
const LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;

/**
 * Returns true for a valid host name without a trailing dot.
 *
 * @param label Pattern that every label must match. Default: letters, digits and inner hyphens.
 */
export function isHostName(text: string, label: RegExp = LABEL): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  return text.split('.').every((part) => part.length <= MAX_LABEL_LENGTH && label.test(part));
}
