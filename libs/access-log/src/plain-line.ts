import { MAX_LINE_LENGTH, MAX_PATH_LENGTH } from './limits.js';
import { isIpAddress, isVisitorAddress } from './ip-address.js';
import { isForwardedFor, isoDate, isReferer, parseLine, type ApacheFormat } from './line-parser.js';
import type { LogLine, ParsedRequest } from './log-line.js';
import { isMissing } from './quoted-field.js';
import { MAX_METHOD_LENGTH } from './request-line.js';

/**
 * Matches nearly all real-world lines in combined format. They consist of printable ASCII without escapes, are separated
 * by single spaces, start with a client address and contain a path that starts with `/`. An X-Forwarded-For field, as
 * logged by nginx, can follow.
 */
const PLAIN = new RegExp(
  [
    // The ident and user can't start with `[`, because that starts the timestamp. An ident with a dot or colon can be
    // lighttpd's host.
    String.raw`^([\w.:%-]+) [!-\-/-9;-Z\\-~][!-\-/-9;-~]* [!-Z\\-~][!-~]*`,
    String.raw`\[(\d\d/[A-Z][a-z]{2}/\d{4}):((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d) ([+-](?:[01]\d|2[0-3]))([0-5]\d)\]`,
    String.raw`"([A-Z]+) (/[!#-[\]-~]*) HTTP/\d(?:\.\d)?"`,
    String.raw`(\d{3}|-) (\d+|-)`,
    String.raw`"([ !#-[\]-~]*)" "([ !#-[\]-~]*)"(?: "([ !#-[\]-~]*)")?$`,
  ].join(' '),
);

/** Equivalent to {@link parseLine}, but much faster for most lines. */
export function readLine(text: string, format: ApacheFormat, finished: boolean): ParsedRequest {
  const line = format === 'auto' || format === 'combined' ? readPlainLine(text) : null;
  return line === null ? parseLine(text, format, finished) : { line };
}

/**
 * Parses a plain line in combined format with the same result as {@link parseLine}. Returns null for all other lines.
 */
export function readPlainLine(text: string): LogLine | null {
  const found = text.length > MAX_LINE_LENGTH ? null : PLAIN.exec(text);
  if (found === null) return null;
  const [, client, day, clock, hours, minutes, method, path, status, size, referer, userAgent, forwarded] = found;
  const date = isoDate(day!);
  if (date === null || !isIpAddress(client!) || !isVisitorAddress(client!)) return null;
  if (method!.length > MAX_METHOD_LENGTH || path!.length > MAX_PATH_LENGTH) return null;
  if (!isReferer(referer!) || (forwarded !== undefined && !isMissing(forwarded) && !isForwardedFor(forwarded)))
    return null;
  const line: LogLine = {
    client: client!,
    time: `${date}T${clock!}${hours!}:${minutes!}`,
    method: method!,
    path: path!,
  };
  if (status !== '-') line.status = Number(status);
  if (size !== '-') line.size = Number(size);
  if (!isMissing(referer!)) line.referer = referer!;
  if (!isMissing(userAgent!)) line.userAgent = userAgent!;
  if (forwarded !== undefined && !isMissing(forwarded)) line.forwardedFor = forwarded.trim();
  return line;
}
