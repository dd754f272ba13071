import { parse } from 'shell-quote';
import type { HeaderValue } from '#libs/contracts';
import { curlOption, type CurlEffect } from './curl-options.js';
import { addHeader, addUrl, hasHeader, setHeader, usageError, type RequestInput } from './request-input.js';

/** Default User-Agent, because the user's version of curl is unknown. */
const CURL_USER_AGENT = 'curl/8';

/** Shell operators that terminate the curl command. */
const COMMAND_ENDS = new Set(['|', '|&', '||', '&&', ';', '>', '>>', '>&', '<']);

/** Parses a curl command copied from a shell, documentation, or a browser's "Copy as cURL (bash)" menu item. */
export function parseCurlText(text: string): RequestInput {
  const command = text
    .replace(/^\s*\$ /, '')
    .replace(/\\\r?\n/g, ' ')
    .replace(
      /(\s)\$'((?:\\.|[^'\\])*)'/gs,
      (_, space: string, quoted: string) => `${space}'${decodeEscapes(quoted).replaceAll("'", `'\\''`)}'`,
    )
    .trim();
  const words: string[] = [];
  for (const entry of parse(command, (name) => `$${name}`)) {
    if (typeof entry === 'string') words.push(entry);
    else if ('comment' in entry) break;
    else if (entry.op === 'glob') words.push(entry.pattern);
    else if (COMMAND_ENDS.has(entry.op)) break;
    else throw usageError(`The command contains an unquoted ${entry.op}.`, 'Put the URL in quotes.');
  }
  return parseCurlWords(words);
}

/** Parses a curl command that the shell has already split into words. */
export function parseCurlWords(words: readonly string[]): RequestInput {
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
  const [name, attachedValue] = word.includes('=')
    ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]
    : [word];
  const option = curlOption(name!.length > 1 ? name! : '');
  if (option === undefined) throw unknownOptionError(`--${name}`);
  curl.apply(option.effect, option.takesValue ? takeValue(`--${name}`, attachedValue, rest) : '');
}

/** Applies combined short options such as `-sXPOST`. Only the last one can have a value. */
function applyShort(curl: CurlCommand, letters: string, rest: string[]): void {
  for (let index = 0; index < letters.length; index++) {
    const option = curlOption(letters[index]!);
    if (option === undefined) throw unknownOptionError(`-${letters[index]}`);
    if (option.takesValue) {
      curl.apply(option.effect, takeValue(`-${letters[index]}`, letters.slice(index + 1) || undefined, rest));
      return;
    }
    curl.apply(option.effect, '');
  }
}

function takeValue(name: string, attachedValue: string | undefined, rest: string[]): string {
  const value = attachedValue ?? rest.shift();
  if (value === undefined) throw usageError(`The curl option ${name} requires a value.`);
  return value;
}

const unknownOptionError = (name: string): Error =>
  usageError(`The curl option ${name} is not supported.`, "Remove it if it doesn't change the headers.");

class CurlCommand {
  private readonly headers: Record<string, HeaderValue> = {};
  private readonly removedHeaders = new Set<string>();
  private url: string | undefined;
  private method: string | undefined;
  /** Method implied by other options. `-X` takes precedence. */
  private impliedMethod = 'GET';
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
          throw usageError('The command contains more than one URL. Pass one request at a time.');
        return void (this.url = value);
      case 'data':
        this.impliedMethod = 'POST';
        return void (this.contentType ??= 'application/x-www-form-urlencoded');
      case 'json':
        this.impliedMethod = 'POST';
        return void (this.contentType = 'application/json');
      case 'upload':
        return void (this.impliedMethod = 'PUT');
      case 'head':
        return void (this.impliedMethod = 'HEAD');
      case 'get':
        return void (this.isGet = true);
      case 'next':
        throw usageError('The command sends more than one request. Pass one request at a time.');
      case 'ignored':
    }
  }

  /** Like curl, sets a header for `Name: value`, removes it for `Name:`, and sends it empty for `Name;`. */
  private applyHeader(line: string): void {
    if (line.startsWith('@'))
      throw usageError('Headers from a file (-H @file) are not supported. Pass each header with -H.');
    const match = /^([^:;\s]+)\s*(?:;\s*$|:(.*)$)/s.exec(line);
    if (match === null) throw usageError(`Invalid header: ${line}`, 'A header must have the form "Name: value".');
    const [, name, value] = match;
    if (value !== undefined && value.trim() === '') this.removedHeaders.add(name!.toLowerCase());
    else addHeader(this.headers, name!, (value ?? '').trim());
  }

  request(): RequestInput {
    if (this.url === undefined) throw usageError('The curl command has no URL.');
    const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(this.url) ? this.url : `http://${this.url}`;
    const url = URL.parse(text);
    if (url === null || !/^https?:$/.test(url.protocol)) throw usageError(`Not an http(s) URL: ${this.url}`);
    const request: RequestInput = {
      method: this.method ?? (this.isGet && this.impliedMethod === 'POST' ? 'GET' : this.impliedMethod),
      headers: this.headers,
    };
    addUrl(request, url);
    this.addDefault('User-Agent', CURL_USER_AGENT);
    this.addDefault('Accept', '*/*');
    if (this.contentType !== undefined && !this.isGet) this.addDefault('Content-Type', this.contentType);
    if (this.removedHeaders.has('host')) setHeader(this.headers, 'host', undefined);
    return request;
  }

  private addDefault(name: string, value: string): void {
    const key = name.toLowerCase();
    if (!hasHeader(this.headers, key) && !this.removedHeaders.has(key)) this.headers[name] = value;
  }
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v' };

/** Decodes the escapes in `$'…'`, which browsers use to quote values that contain quotes or exclamation marks. */
function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{1,4})|x([0-9a-fA-F]{1,2})|(.))/gs,
    (_, unicode: string | undefined, hex: string | undefined, character: string | undefined) =>
      character === undefined
        ? String.fromCharCode(Number.parseInt(unicode ?? hex ?? '0', 16))
        : (ESCAPES[character] ?? character),
  );
}
