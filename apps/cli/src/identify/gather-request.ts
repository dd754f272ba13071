import { curlFromText, curlFromWords } from './curl-command.js';
import { addHeader, parseHeaderLine, usageError, type RequestInput } from './request-input.js';
import { parseRequestText } from './request-text.js';

interface RequestSources {
  /** curl command as words. */
  words?: readonly string[];
  curl?: string;
  file?: string;
  header?: readonly string[];
  /** Override the method and path from the other sources. */
  method?: string;
  path?: string;
}

export async function gatherRequest(
  { words = [], curl, file, header = [], method, path }: RequestSources,
  read: (file: string) => Promise<string>,
): Promise<RequestInput> {
  const given = [words.length > 0, curl !== undefined, file !== undefined].filter(Boolean);
  if (given.length > 1) throw usageError('Use only one of a curl command, --curl and --file.');
  if (given.length === 0 && header.length === 0) {
    throw usageError('No request was given. Use -H for headers, a curl command, --curl or --file.');
  }
  const request: RequestInput =
    words.length > 0
      ? curlFromWords(words)
      : curl !== undefined
        ? curlFromText(curl)
        : file !== undefined
          ? parseRequestText(await read(file))
          : { headers: {} };
  for (const line of header) {
    const parsed = parseHeaderLine(line);
    if (parsed === null) throw usageError(`Not a header: ${line}`, 'A header is "Name: value".');
    addHeader(request.headers, parsed.name, parsed.value);
  }
  return { ...request, ...(method === undefined ? {} : { method }), ...(path === undefined ? {} : { path }) };
}
