import { MAX_PATH_LENGTH } from './limits.js';
import { decodeUtf8 } from './quoted-field.js';

interface RequestLine {
  method: string;
  path: string;
  /** Host, if the target is in absolute form (`GET http://host/path`). */
  host?: string;
}

/**
 * Maximum length of an HTTP method. The pattern doesn't enforce it, because counted repetitions make it harder to prove
 * that a pattern is linear.
 */
export const MAX_METHOD_LENGTH = 32;

/** Maximum length of a request line that is quoted in a reason, in characters. */
const MAX_SHOWN = 40;
const CONTROL = /\p{Cc}/gu;

/**
 * Token (RFC 9110, section 5.6.2) that starts with a letter, as all methods do. Excludes `-`, which servers log if they
 * didn't receive a request.
 */
export const METHOD = /^[A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]*$/;
/** Other protocols sent to an HTTP port, such as `RTSP/1.0` or `SIP/2.0`. */
const OTHER_PROTOCOL = /\s[A-Z]{2,10}\/\d\.\d$/;

/**
 * Parses a request line such as `GET /path HTTP/1.1`. Paths can contain spaces, because broken clients send them.
 *
 * Lines without a protocol (HTTP/0.9) must consist of an uppercase method and a path, because open ports receive all
 * kinds of garbage.
 *
 * @param text Unescaped request line as a Latin-1 string (one character per byte).
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
 * Parses a method and a target that are logged separately.
 *
 * @param target Unescaped target as a Latin-1 string (one character per byte).
 */
export function readRequest(method: string, target: string): RequestLine | { reason: string } {
  const decodedTarget = decodeUtf8(target.trim());
  if (method.length > MAX_METHOD_LENGTH || !METHOD.test(method) || decodedTarget === '')
    return noRequest(`${method} ${target}`);
  const request = { method, ...splitTarget(decodedTarget) };
  if (!isTarget(method, request.path)) return noRequest(`${method} ${target}`);
  if (request.path.length > MAX_PATH_LENGTH) {
    return { reason: `the path is longer than ${MAX_PATH_LENGTH} characters` };
  }
  return request;
}

/**
 * Returns true if the method allows the target, which is a path, an asterisk, or a host for CONNECT. `PRI *` is excluded,
 * because it's the start of an HTTP/2 connection.
 */
export const isTarget = (method: string, path: string): boolean =>
  path.startsWith('/') || (path === '*' && method !== 'PRI') || method === 'CONNECT';

function noRequest(text: string): { reason: string } {
  const shown = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
  return { reason: `no HTTP request: "${shown.replaceAll(CONTROL, escapeControl)}"` };
}

const escapeControl = (control: string): string => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Splits an absolute-form target into host and path. Other targets are returned as the path. */
export function splitTarget(target: string): { path: string; host?: string } {
  const absolute = /^https?:\/\/([^/?#]+)/i.exec(target);
  if (absolute === null) return { path: target };
  const path = target.slice(absolute[0].length);
  return { path: path.startsWith('/') ? path : `/${path}`, host: absolute[1]! };
}
