import { VISIT_LIMITS } from '#libs/contracts';
import { shortened, visible } from '../terminal-text.js';
import { decodeBytes } from './quoted-field.js';

export interface RequestLine {
  method: string;
  path: string;
  /** Of a request in absolute form (`GET http://host/path`). */
  host?: string;
}

/** Checked apart from the patterns: a counted repetition makes the proof that they take linear time four times as long. */
export const MAX_METHOD_LENGTH = 32;

/** `tchar` of RFC 9110 section 5.6.2. */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

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
  const target = decodeBytes(text.slice(gap + 1, hasProtocol ? protocol : undefined).trim());
  if (method.length > MAX_METHOD_LENGTH || !METHOD.test(method) || target === '') return noRequest(text);
  if (!hasProtocol && !(/^[A-Z]{3,16}$/.test(method) && target.startsWith('/'))) return noRequest(text);
  const request = { method, ...splitTarget(target) };
  if (request.path.length > VISIT_LIMITS.pathLength) {
    return { reason: `the path is longer than ${VISIT_LIMITS.pathLength} characters` };
  }
  return request;
}

const noRequest = (text: string) => ({ reason: `no HTTP request: "${visible(shortened(text, 40))}"` });

function splitTarget(target: string): { path: string; host?: string } {
  const absolute = /^https?:\/\/([^/?#]+)/i.exec(target);
  if (absolute === null) return { path: target };
  const path = target.slice(absolute[0].length);
  return { path: path.startsWith('/') ? path : `/${path}`, host: absolute[1]! };
}
