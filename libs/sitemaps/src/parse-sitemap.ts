import { SaxesParser } from 'saxes';
import { decodeSitemap, SitemapError } from './decode-sitemap.js';

/** Maximum number of URLs in a sitemap (sitemaps.org). */
const MAX_SITEMAP_ENTRIES = 50_000;
/** Maximum length of a URL (sitemaps.org). */
const MAX_URL_LENGTH = 2_048;
const MAX_DEPTH = 16;
const MAX_NAME_LENGTH = 100;
/** Maximum length of a tag, text or comment. The parser processes each of them at once. */
const MAX_TOKEN_LENGTH = 256 * 1_024;

export interface SitemapEntry {
  /** Text of the URL, which can be invalid. */
  url: string;
  /** Text of the modification date, or null. */
  lastModified: string | null;
}

export interface ParsedSitemap {
  /** True if the URLs are those of other sitemaps. */
  isIndex: boolean;
  /** URLs before the error, if there is one. */
  entries: SitemapEntry[];
  /** Error as a predicate, such as "is not valid UTF-8", or null. */
  fault: string | null;
  /** Line of the error, starting at 1, or null if it isn't in a line. */
  line: number | null;
}

interface Parser {
  readonly isIndex: boolean;
  readonly line: number | null;
  /** @throws {SitemapError} if the text can't be part of a sitemap. */
  write(text: string): void;
  end(): void;
}

/** Parses a sitemap. Errors are part of the result. */
export async function parseSitemap(bytes: Uint8Array): Promise<ParsedSitemap> {
  const entries: SitemapEntry[] = [];
  const add = (entry: SitemapEntry): void => {
    if (entries.length === MAX_SITEMAP_ENTRIES) throw new SitemapError('lists more than 50,000 URLs');
    entries.push(entry);
  };
  let parser: Parser | undefined;
  const getResult = (fault: string | null): ParsedSitemap => ({
    isIndex: parser?.isIndex ?? false,
    entries,
    fault,
    line: fault === null ? null : (parser?.line ?? null),
  });
  try {
    for await (const text of decodeSitemap(bytes)) {
      if (parser !== undefined) {
        parser.write(text);
        continue;
      }
      const start = text.trimStart();
      if (start === '') continue;
      parser = start.startsWith('<') ? new XmlParser(add) : new ListParser(add);
      parser.write(start);
    }
    parser?.end();
  } catch (error) {
    if (!(error instanceof SitemapError)) throw error;
    return getResult(error.message);
  }
  return getResult(null);
}

/** Parses a list with one URL per line. */
class ListParser implements Parser {
  readonly isIndex = false;
  line = 0;
  private rest = '';

  constructor(private readonly add: (entry: SitemapEntry) => void) {}

  write(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop()!;
    for (const line of lines) this.addLine(line);
    if (this.rest.length > MAX_URL_LENGTH) this.addLine(this.rest);
  }

  end(): void {
    this.addLine(this.rest);
  }

  private addLine(line: string): void {
    this.line += 1;
    const url = line.trim();
    if (url === '') return;
    if (url.length > MAX_URL_LENGTH || !URL.canParse(url)) throw new SitemapError('is not a sitemap: expected a URL');
    this.add({ url, lastModified: null });
  }
}

/** Root elements, and the element of each entry in them. */
const ENTRY_ELEMENTS = new Map([
  ['urlset', 'url'],
  ['sitemapindex', 'sitemap'],
]);

class XmlParser implements Parser {
  isIndex = false;
  /** Line of the error. Entries and elements can span several lines. */
  line: number | null = null;
  private readonly parser = new SaxesParser({ position: false });
  /** Names of the open elements, without their prefixes. */
  private readonly path: string[] = [];
  private url = '';
  private lastModified = '';
  /** Number of characters since the end of the last tag. */
  private length = 0;

  constructor(private readonly add: (entry: SitemapEntry) => void) {
    this.parser.on('error', ({ message }) => this.fail(`is not valid XML: ${message}`));
    // Entities could only be declared in a document type.
    this.parser.on('doctype', () => this.fail('has a document type, which sitemaps must not have'));
    this.parser.on('opentag', ({ name }) => this.open(name.slice(name.indexOf(':') + 1)));
    this.parser.on('closetag', () => this.close());
    this.parser.on('text', (text) => this.addText(text));
    this.parser.on('cdata', (text) => this.addText(text));
  }

  write(text: string): void {
    this.length += text.length;
    this.parser.write(text);
    if (this.length > MAX_TOKEN_LENGTH) this.fail('contains a tag, text or comment that is longer than 256 KiB');
  }

  end(): void {
    this.parser.close();
  }

  private open(name: string): void {
    this.length = 0;
    this.path.push(name);
    if (this.path.length > MAX_DEPTH) this.fail(`has more than ${MAX_DEPTH} nested elements`);
    if (this.path.length > 1) return;
    this.isIndex = name === 'sitemapindex';
    if (ENTRY_ELEMENTS.has(name)) return;
    this.fail(`is not a sitemap: the first element is <${name.slice(0, MAX_NAME_LENGTH)}>, not <urlset>`);
  }

  private close(): void {
    this.length = 0;
    const [root, entry] = this.path;
    if (this.path.length === 2 && entry === ENTRY_ELEMENTS.get(root!)) {
      const url = this.url.trim();
      // An entry without a URL is of no use. The owner sees that it's missing from the number of entries.
      if (url !== '' && url.length <= MAX_URL_LENGTH) this.addEntry(url);
      this.url = this.lastModified = '';
    }
    this.path.pop();
  }

  private addEntry(url: string): void {
    try {
      this.add({ url, lastModified: this.lastModified.trim() || null });
    } catch (error) {
      this.line = this.parser.line;
      throw error;
    }
  }

  private addText(text: string): void {
    const [root, entry, name] = this.path;
    // Extensions have elements of the same names at other levels.
    if (this.path.length !== 3 || entry !== ENTRY_ELEMENTS.get(root!)) return;
    if (name === 'loc') this.url = (this.url + text).slice(0, 2 * MAX_URL_LENGTH);
    else if (name === 'lastmod') this.lastModified = (this.lastModified + text).slice(0, MAX_NAME_LENGTH);
  }

  private fail(message: string): never {
    this.line = this.parser.line;
    throw new SitemapError(message);
  }
}
