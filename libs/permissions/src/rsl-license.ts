import { SaxesParser, type SaxesTagNS } from 'saxes';

const RSL_NAMESPACE = 'https://rslstandard.org/rsl';
/** Maximum size of a license, in bytes. */
export const MAX_LICENSE_BYTES = 256 * 1_024;
const MAX_DEPTH = 16;
const MAX_ELEMENTS = 5_000;
const MAX_CONTENTS = 200;
const MAX_LICENSES = 20;
const MAX_TEXT_LENGTH = 2_048;
const MAX_VALUES = 50;
/** Other work can run after each part. */
const PART_LENGTH = 16 * 1_024;

/** Terms under which content is licensed (RSL 1.0, section 3.4). */
export interface LicenseTerms {
  /** Permitted usages, or null if they aren't restricted to some. */
  permits: string[] | null;
  prohibits: string[];
  /** Type of payment, or null if there is none. */
  payment: string | null;
}

/** Content and its licenses, of which agents can choose one. */
export interface LicensedContent {
  /** URL, or path as in robots.txt rules. */
  url: string;
  /** Whether agents must get a license from a server, even if it is free. */
  hasServer: boolean;
  licenses: LicenseTerms[];
}

interface ParsedLicense {
  contents: LicensedContent[];
  /** Error as a predicate, such as "is not valid XML", or null. */
  fault: string | null;
}

class LicenseError extends Error {
  override name = 'LicenseError';
}

/** Parses and validates an RSL document. Document types are rejected, so entities can't be declared. */
export function parseLicense(bytes: Uint8Array): ParsedLicense {
  const reader = new LicenseReader();
  try {
    if (bytes.length > MAX_LICENSE_BYTES) throw new LicenseError(`is larger than ${MAX_LICENSE_BYTES / 1_024} KiB`);
    reader.read(decode(bytes));
    return { contents: reader.contents, fault: null };
  } catch (error) {
    if (!(error instanceof LicenseError)) throw error;
    return { contents: [], fault: error.message };
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart();
  } catch {
    throw new LicenseError('is not valid UTF-8');
  }
}

class LicenseReader {
  readonly contents: LicensedContent[] = [];
  private readonly parser = new SaxesParser({ xmlns: true, position: false });
  /** Local names of the open elements, or an empty string for those of other namespaces. */
  private readonly path: string[] = [];
  private text = '';
  /** Value of the `type` attribute of the element that is being read. */
  private type = '';
  private elements = 0;

  constructor() {
    this.parser.on('error', ({ message }) => fail(`is not valid XML: ${message}`));
    this.parser.on('doctype', () => fail('has a document type, which licenses must not have'));
    this.parser.on('opentag', (tag) => this.open(tag));
    this.parser.on('closetag', () => this.close());
    this.parser.on('text', (text) => this.addText(text));
    this.parser.on('cdata', (text) => this.addText(text));
  }

  read(text: string): void {
    for (let start = 0; start < text.length; start += PART_LENGTH) {
      this.parser.write(text.slice(start, start + PART_LENGTH));
    }
    this.parser.close();
    if (this.contents.length === 0) fail('contains no <content>');
    if (this.contents.some(({ licenses }) => licenses.length === 0)) fail('has a <content> without a <license>');
  }

  private open({ local, uri, attributes }: SaxesTagNS): void {
    this.elements += 1;
    if (this.elements > MAX_ELEMENTS) fail(`has more than ${MAX_ELEMENTS.toLocaleString('en')} elements`);
    const name = uri === RSL_NAMESPACE ? local : '';
    if (this.path.length === 0 && name !== 'rsl') fail(`is not a license: expected <rsl xmlns="${RSL_NAMESPACE}">`);
    this.path.push(name);
    if (this.path.length > MAX_DEPTH) fail(`has more than ${MAX_DEPTH} nested elements`);
    this.text = '';
    const getAttribute = (attribute: string): string | null =>
      attributes[attribute] === undefined ? null : truncate(attributes[attribute].value, MAX_TEXT_LENGTH);
    this.type = getAttribute('type')?.trim().toLowerCase() ?? '';
    switch (this.path.join('/')) {
      case 'rsl/content': {
        const url = getAttribute('url');
        if (url === null) return fail('has a <content> without a url');
        if (this.contents.length === MAX_CONTENTS) return fail(`has more than ${MAX_CONTENTS} <content> elements`);
        this.contents.push({ url, hasServer: getAttribute('server') !== null, licenses: [] });
        break;
      }
      case 'rsl/content/license':
        if (this.contents.at(-1)!.licenses.length === MAX_LICENSES) fail(`has more than ${MAX_LICENSES} licenses`);
        this.contents.at(-1)!.licenses.push({ permits: null, prohibits: [], payment: null });
        break;
      case 'rsl/content/license/payment':
        this.terms.payment = truncate(this.type, 50) || 'unspecified';
    }
  }

  private close(): void {
    const element = this.path.join('/');
    if (element === 'rsl/content/license/permits' && this.isUsage) this.terms.permits = this.values;
    if (element === 'rsl/content/license/prohibits' && this.isUsage) this.terms.prohibits.push(...this.values);
    this.path.pop();
    this.text = '';
  }

  private addText(text: string): void {
    this.text = truncate(this.text + text, MAX_TEXT_LENGTH);
  }

  private get terms(): LicenseTerms {
    return this.contents.at(-1)!.licenses.at(-1)!;
  }

  /** Whether the element lists usages. Others list user types or countries. */
  private get isUsage(): boolean {
    return this.type === 'usage' || this.type === '';
  }

  /** Values separated by spaces or, as in earlier drafts, by commas. */
  private get values(): string[] {
    return this.text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((value) => value !== '')
      .slice(0, MAX_VALUES);
  }
}

/** Replaces a surrogate pair that is cut in half, because PostgreSQL rejects unpaired surrogates. */
const truncate = (text: string, length: number): string => text.slice(0, length).toWellFormed();

function fail(message: string): never {
  throw new LicenseError(message.slice(0, 300));
}
