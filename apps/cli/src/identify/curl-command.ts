import { parse } from 'shell-quote';
import type { HeaderValue } from '#libs/contracts';
import { curlOption, type CurlEffect } from './curl-options.js';
import { addHeader, addUrl, hasHeader, setHeader, usageError, type RequestInput } from './request-input.js';

/** curl's default User-Agent. The version is a guess. */
const CURL_USER_AGENT = 'curl/8';

/** Shell operators that end the curl command. */
const COMMAND_ENDS = new Set(['|', '|&', '||', '&&', ';', '>', '>>', '>&', '<']);

/** Parses a curl command copied from a shell, a page or a browser's "Copy as cURL (bash)". */
export function curlFromText(text: string): RequestInput {
  const command = text
    .replace(/^\s*\$ /, '')
    .replace(/\\\r?\n/g, ' ')
    .replace(
      /(\s)\$'((?:\\.|[^'\\])*)'/gs,
      (_, space: string, quoted: string) => `${space}'${decoded(quoted).replaceAll("'", `'\\''`)}'`,
    )
    .trim();
  const words: string[] = [];
  for (const entry of parse(command, (name) => `$${name}`)) {
    if (typeof entry === 'string') words.push(entry);
    else if ('comment' in entry) break;
    else if (entry.op === 'glob') words.push(entry.pattern);
    else if (COMMAND_ENDS.has(entry.op)) break;
    else throw usageError(`The command holds ${entry.op} outside of quotes.`, 'Put the address into quotes.');
  }
  return curlFromWords(words);
}

/** Parses a curl command that the shell already split into words. */
export function curlFromWords(words: readonly string[]): RequestInput {
  if (words[0] !== 'curl') throw usageError(`Not a curl command: ${words.join(' ')}`);
  const curl = new CurlCommand();
  const rest = words.slice(1);
  let isOptions = true;
  while (rest.length > 0) {
    const word = rest.shift()!;
    if (!isOptions || word === '-' || !word.startsWith('-')) curl.apply('url', word);
    else if (word === '--') isOptions = false;
    else if (word.startsWith('--')) applyLong(curl, word.slice(2), rest);
    else applyShort(curl, word.slice(1), rest);
  }
  return curl.request();
}

function applyLong(curl: CurlCommand, word: string, rest: string[]): void {
  const [name, joined] = word.includes('=')
    ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
    : [word];
  const option = curlOption(name!.length > 1 ? name! : '');
  if (option === undefined) throw unknownOption(`--${name}`);
  curl.apply(option.effect, option.takesValue ? valueOf(`--${name}`, joined, rest) : '');
}

/** Applies short options. Letters can be combined, and the last one can be followed by its value: `-sXPOST`. */
function applyShort(curl: CurlCommand, letters: string, rest: string[]): void {
  for (let at = 0; at < letters.length; at++) {
    const option = curlOption(letters[at]!);
    if (option === undefined) throw unknownOption(`-${letters[at]}`);
    if (option.takesValue) {
      curl.apply(option.effect, valueOf(`-${letters[at]}`, letters.slice(at + 1) || undefined, rest));
      return;
    }
    curl.apply(option.effect, '');
  }
}

function valueOf(name: string, joined: string | undefined, rest: string[]): string {
  const value = joined ?? rest.shift();
  if (value === undefined) throw usageError(`curl's option ${name} needs a value.`);
  return value;
}

const unknownOption = (name: string): Error =>
  usageError(`curl's option ${name} is not understood here.`, 'Leave it out where it changes no header.');

class CurlCommand {
  private readonly headers: Record<string, HeaderValue> = {};
  private readonly removed = new Set<string>();
  private url: string | undefined;
  private method: string | undefined;
  /** Method implied by other options. Used unless `-X` sets one. */
  private implied = 'GET';
  private isGet = false;
  private contentType: string | undefined;

  apply(effect: CurlEffect, value: string): void {
    switch (effect) {
      case 'header':
        return this.applyHeader(value);
      case 'user-agent':
        return this.applyHeader(`User-Agent:${value}`);
      case 'referer':
        return this.applyHeader(`Referer:${value.replace(/;auto$/, '')}`);
      case 'request':
        return void (this.method = value);
      case 'url':
        if (this.url !== undefined)
          throw usageError('The command has more than one address; give one request at a time.');
        return void (this.url = value);
      case 'data':
        this.implied = 'POST';
        return void (this.contentType ??= 'application/x-www-form-urlencoded');
      case 'json':
        this.implied = 'POST';
        return void (this.contentType = 'application/json');
      case 'upload':
        return void (this.implied = 'PUT');
      case 'head':
        return void (this.implied = 'HEAD');
      case 'get':
        return void (this.isGet = true);
      case 'next':
        throw usageError('The command makes more than one request; give one at a time.');
      case 'ignored':
    }
  }

  /** Applies `Name: value` (sets), `Name:` (removes) or `Name;` (sends it empty), like curl. */
  private applyHeader(line: string): void {
    if (line.startsWith('@'))
      throw usageError('Headers from a file (-H @file) are not read here; give them one by one.');
    const match = /^([^:;\s]+)\s*(?:;\s*$|:(.*)$)/s.exec(line);
    if (match === null) throw usageError(`Not a header: ${line}`, 'A header is "Name: value".');
    const [, name, value] = match;
    if (value !== undefined && value.trim() === '') this.removed.add(name!.toLowerCase());
    else addHeader(this.headers, name!, (value ?? '').trim());
  }

  request(): RequestInput {
    if (this.url === undefined) throw usageError('The curl command has no address.');
    const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(this.url) ? this.url : `http://${this.url}`;
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) throw usageError(`Not an http or https address: ${this.url}`);
    const request: RequestInput = {
      method: this.method ?? (this.isGet && this.implied === 'POST' ? 'GET' : this.implied),
      headers: this.headers,
    };
    addUrl(request, url);
    this.addDefault('User-Agent', CURL_USER_AGENT);
    this.addDefault('Accept', '*/*');
    if (this.contentType !== undefined && !this.isGet) this.addDefault('Content-Type', this.contentType);
    if (this.removed.has('host')) setHeader(this.headers, 'host', undefined);
    return request;
  }

  private addDefault(name: string, value: string): void {
    const key = name.toLowerCase();
    if (!hasHeader(this.headers, key) && !this.removed.has(key)) this.headers[name] = value;
  }
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v' };

/** Decodes the escapes in `$'…'`. Browsers use this form for values that contain quotes or exclamation marks. */
function decoded(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|(.))/gs,
    (_, unicode: string | undefined, hex: string | undefined, character: string | undefined) =>
      character === undefined
        ? String.fromCharCode(Number.parseInt(unicode ?? hex ?? '0', 16))
        : (ESCAPES[character] ?? character),
  );
}
