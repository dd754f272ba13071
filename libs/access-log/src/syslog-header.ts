/** RFC 5424: `<134>1 2026-11-24T02:33:26.123Z host app 123 ID [structured data] message`. */
const RFC5424 = /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ /;
/**
 * RFC 3164 as servers and relays write it: with or without the priority and the host, the time also in ISO 8601, and always
 * with a tag and its colon: `<190>Nov 24 02:33:26 host nginx: message`.
 */
const RFC3164 =
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (?:[^\s:]+ |[\da-fA-F:.]+ )?[\w./-]+(?:\[[^\]\s]*\])?: ?/;

/**
 * Returns what a syslog message says, without its header (RFC 3164 or 5424); a text without such a header as it is.
 *
 * @param text one character a byte.
 */
export function withoutSyslogHeader(text: string): string {
  // What lines of logs nearly never begin with.
  if (!/^[<A-Z\d]/.test(text)) return text;
  const found = RFC5424.exec(text);
  if (found !== null) return message5424(text, found[0].length);
  const header = RFC3164.exec(text);
  return header === null ? text : text.slice(header[0].length);
}

/** Passes over `-` or `[id name="value" …]…`, in whose values `\]` and `\"` are escaped. */
function message5424(text: string, start: number): string {
  let at = start;
  if (text[at] === '-') at += 1;
  let isQuoted = false;
  while (text[at] === '[' || isQuoted) {
    for (; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '"') isQuoted = !isQuoted;
      else if (text[at] === ']' && !isQuoted) break;
    }
    at += 1;
    isQuoted = false;
  }
  const message = text.slice(text[at] === ' ' ? at + 1 : at);
  return message.startsWith('\xef\xbb\xbf') ? message.slice(3) : message;
}
