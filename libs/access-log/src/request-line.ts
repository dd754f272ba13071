import { MAX_PATH_LENGTH } from './limits.js';
import { decodeBytes } from './quoted-field.js';

interface RequestLine {
  method: string;
  path: string;
  /** Of a request in absolute form (`GET http://host/path`). */
  host?: string;
}

/** Checked apart from the patterns: a counted repetition makes the proof that they take linear time four times as long. */
export const MAX_METHOD_LENGTH = 32;

/** Characters of a request line that are shown. */
const MAX_SHOWN = 40;
const CONTROL = /\p{Cc}/gu;

/** A token (RFC 9110 section 5.6.2) that begins with a letter, as all methods do: `-` stands for a request that never came. */
export const METHOD = /^[A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]*$/;
/** Another protocol on the port of HTTP: `RTSP/1.0`, `SIP/2.0`. */
const OTHER_PROTOCOL = /\s[A-Z]{2,10}\/\d\.\d$/;

/**
 * Reads `GET /path HTTP/1.1`. A path may hold spaces, as broken clients send them; without a protocol (HTTP/0.9)
 * only a plain method and a path are believed, because anything may be sent to an open port.
 *
 * @param text one character a byte, escapes undone.
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
 * Reads a method and a target that a line has apart.
 *
 * @param target one character a byte, escapes undone.
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

/** Whether a method can have the target: a path, an asterisk (but `PRI *` begins HTTP/2), or the host of CONNECT. */
export const isTarget = (method: string, path: string): boolean =>
  path.startsWith('/') || (path === '*' && method !== 'PRI') || method === 'CONNECT';

function noRequest(text: string): { reason: string } {
  const shown = text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
  return { reason: `no HTTP request: "${shown.replaceAll(CONTROL, escaped)}"` };
}

const escaped = (control: string): string => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Takes the host from a target in absolute form. */
export function splitTarget(target: string): { path: string; host?: string } {
  const absolute = /^https?:\/\/([^/?#]+)/i.exec(target);
  if (absolute === null) return { path: target };
  const path = target.slice(absolute[0].length);
  return { path: path.startsWith('/') ? path : `/${path}`, host: absolute[1]! };
}
