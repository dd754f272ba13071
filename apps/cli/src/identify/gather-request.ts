import { parseCurlText, parseCurlWords } from './curl-command.js';
import { addHeader, parseHeaderLine, usageError, type RequestInput } from './request-input.js';
import { parseRequestText } from './request-text.js';

interface RequestSources {
  /** curl command, split into words. */
  words?: readonly string[];
  curl?: string;
  file?: string;
  header?: readonly string[];
  /** Overrides the method from the other sources. */
  method?: string;
  /** Overrides the path from the other sources. */
  path?: string;
}

export async function gatherRequest(
  { words = [], curl, file, header = [], method, path }: RequestSources,
  read: (file: string) => Promise<string>,
): Promise<RequestInput> {
  const givenSources = [words.length > 0, curl !== undefined, file !== undefined].filter(Boolean);
  if (givenSources.length > 1) throw usageError('Use only one of a curl command, --curl and --file.');
  if (givenSources.length === 0 && header.length === 0) {
    throw usageError('No request specified. Pass headers with -H, a curl command, --curl or --file.');
  }
  const request: RequestInput =
    words.length > 0
      ? parseCurlWords(words)
      : curl !== undefined
        ? parseCurlText(curl)
        : file !== undefined
          ? parseRequestText(await read(file))
          : { headers: {} };
  for (const line of header) {
    const parsed = parseHeaderLine(line);
    if (parsed === null) throw usageError(`Invalid header: ${line}`, 'A header must have the form "Name: value".');
    addHeader(request.headers, parsed.name, parsed.value);
  }
  return { ...request, ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) };
}
