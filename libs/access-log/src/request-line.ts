import { MAX_PATH_LENGTH } from './limits.js';
import { decodeBytes } from './quoted-field.js';

interface RequestLine {
  method: string;
  path: string;
  /** Host of a request in absolute form (`GET http://host/path`). */
  host?: string;
}

/** Checked separately, because a counted repetition makes it harder to prove that the patterns run in linear time. */
export const MAX_METHOD_LENGTH = 32;

/** Maximum length of a request line in a reason. */
const MAX_SHOWN = 40;
const CONTROL = /\p{Cc}/gu;

/**
 * A token (RFC 9110, section 5.6.2) that starts with a letter, as all methods do. Excludes `-`, which servers log if no
 * request was received.
 */
export const METHOD = /^[A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]*$/;
/** Other protocols on an HTTP port: `RTSP/1.0`, `SIP/2.0`. */
const OTHER_PROTOCOL = /\s[A-Z]{2,10}\/\d\.\d$/;

/**
 * Parses `GET /path HTTP/1.1`. A path may contain spaces, because broken clients send them.
 *
 * Without a protocol (HTTP/0.9), only an uppercase method and a path are accepted, because clients send anything to
 * open ports.
 *
 * @param text unescaped, with one character per byte.
 */
export function readRequestLine(text: string): RequestLine | { reason: string } {
  const gap = text.indexOf(' ');
  if (gap === -1) return noRequest(text);
  const method = text.slice(0, gap);
  const protocol = text.lastIndexOf(' HTTP/');
  const hasProtocol = protocol >= gap && /^ HTTP\/\d(?:\.\d)?$/.test(text.slice(protocol));
  const target = text.slice(gap + 1, hasProtocol ? protocol : undefined);
  if (!hasProtocol && (!/^[A-Z]{3,16} \s*\//.test(text) || OTHER_PROTOCOL.test(text))) return noRequest(text);
  return readRequest(method, target);
}

/**
 * Validates a method and a target that are logged separately.
 *
 * @param target unescaped, with one character per byte.
 */
export function readRequest(method: string, target: string): RequestLine | { reason: string } {
  const whole = decodeBytes(target.trim());
  if (method.length > MAX_METHOD_LENGTH || !METHOD.test(method) || whole === '')
    return noRequest(`${method} ${target}`);
  const request = { method, ...splitTarget(whole) };
  if (!isTarget(method, request.path)) return noRequest(`${method} ${target}`);
  if (request.path.length > MAX_PATH_LENGTH) {
    return { reason: `the path is longer than ${MAX_PATH_LENGTH} characters` };
  }
  return request;
}

/**
 * Returns true if the method allows the target: a path, an asterisk, or the host of CONNECT. `PRI *` is excluded,
 * because it starts an HTTP/2 connection.
 */
export const isTarget = (method: string, path: string): boolean =>
  path.startsWith('/') || (path === '*' && method !== 'PRI') || method === 'CONNECT';

function noRequest(text: string): { reason: string } {
  const shown = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
  return { reason: `no HTTP request: "${shown.replaceAll(CONTROL, escaped)}"` };
}

const escaped = (control: string): string => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Splits a target in absolute form into host and path. */
export function splitTarget(target: string): { path: string; host?: string } {
  const absolute = /^https?:\/\/([^/?#]+)/i.exec(target);
  if (absolute === null) return { path: target };
  const path = target.slice(absolute[0].length);
  return { path: path.startsWith('/') ? path : `/${path}`, host: absolute[1]! };
}
