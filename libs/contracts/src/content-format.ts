const FORMATS = ['html', 'markdown', 'json', 'text', 'other'] as const;

/** Format that an `Accept` header prefers. `any` stands for every format, and `none` for a missing header. */
export const REQUESTED_FORMATS = [...FORMATS, 'any', 'none'] as const;
export type RequestedFormat = (typeof REQUESTED_FORMATS)[number];

/** Format of a response according to its `Content-Type` header. `none` stands for a missing header. */
export const RESPONSE_FORMATS = [...FORMATS, 'none'] as const;
export type ResponseFormat = (typeof RESPONSE_FORMATS)[number];

/** Weight of media ranges without a weight, and the highest valid one. */
const MAX_WEIGHT = 1;

/**
 * Returns the format that an `Accept` header prefers: the media range with the highest weight (RFC 9110, section
 * 12.5.1). If several have the same weight, the first one counts, and any format comes last.
 *
 * @param accept Value of the header, or null if it's missing.
 */
export function getRequestedFormat(accept: string | null): RequestedFormat {
  if (accept === null || accept.trim() === '') return 'none';
  let best: RequestedFormat = 'any';
  let bestWeight = 0;
  let end: number;
  for (let start = 0; start < accept.length; start = end + 1) {
    end = findEnd(accept, ',', start);
    const range = accept.slice(start, end);
    const typeEnd = findEnd(range, ';', 0);
    const type = range.slice(0, typeEnd).trim();
    const weight = typeEnd === range.length ? MAX_WEIGHT : getWeight(range.slice(typeEnd + 1));
    if (weight <= 0 || weight < bestWeight || (weight === bestWeight && best !== 'any')) continue;
    best = type === '*/*' ? 'any' : toFormat(type);
    bestWeight = weight;
    // No later range can come before this one.
    if (weight === MAX_WEIGHT && best !== 'any') break;
  }
  return best;
}

/** Returns the position of a separator, or the length of the text. */
function findEnd(text: string, separator: string, start: number): number {
  const position = text.indexOf(separator, start);
  return position === -1 ? text.length : position;
}

function getWeight(parameters: string): number {
  for (const parameter of parameters.split(';')) {
    const [name = '', value = ''] = parameter.split('=', 2);
    if (name.trim().toLowerCase() === 'q') return Math.min(Number(value) || 0, MAX_WEIGHT);
  }
  return MAX_WEIGHT;
}

/** @param contentType Value of the `Content-Type` header, or null if it's missing. */
export const getResponseFormat = (contentType: string | null): ResponseFormat =>
  contentType === null || contentType.trim() === ''
    ? 'none'
    : toFormat(contentType.slice(0, findEnd(contentType, ';', 0)));

function toFormat(mediaType: string): (typeof FORMATS)[number] {
  const type = mediaType.trim().toLowerCase();
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/markdown' || type === 'text/x-markdown') return 'markdown';
  if (type.startsWith('application/') && (type.endsWith('/json') || type.endsWith('+json'))) return 'json';
  return type.startsWith('text/') ? 'text' : 'other';
}
