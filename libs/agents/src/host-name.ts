/** Maximum lengths of a name and of a label in characters (RFC 1035 section 2.3.4). */
const MAX_NAME_LENGTH = 253;
const MAX_LABEL_LENGTH = 63;

/** Label of letters, digits and hyphens (RFC 1123 section 2.1). */
const LABEL = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i;

/** Returns whether a text is a host name without a trailing dot. All of its labels must match `label`. */
export function isHostName(text: string, label: RegExp = LABEL): boolean {
  if (text.length > MAX_NAME_LENGTH) return false;
  return text.split('.').every((part) => part.length <= MAX_LABEL_LENGTH && label.test(part));
}
