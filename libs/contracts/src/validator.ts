import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema, Static } from 'typebox';
import { IP_ADDRESS, isIpAddress } from './ip-address.js';
import { MAX_JSON_MEMBERS } from './json-limits.js';
import { checkLengthsFirst } from './ajv-length-check.js';
import { PATTERN_FAULTS } from './patterns.js';
import type { Fault } from './problem.schema.js';
import { ROBOTS_PATH, isRobotsPath } from './robots-path.js';
import { isSingleLine, isPostgresText, SINGLE_LINE, POSTGRES_TEXT } from './text.schema.js';
import { parseTimestamp, TIME_FAULT } from './timestamp.js';
import { isLicenseUrl, LICENSE_URL } from './usage-signals.schema.js';
import { isUuid } from './uuid.js';

/** Maximum number of faults per response. */
export const MAX_FAULTS = 100;
/**
 * Maximum number of items and members to check per value. It exceeds every `maxItems`, so an array that is too long is
 * still too long after truncation.
 */
const MAX_EXPLAINED = MAX_JSON_MEMBERS;
/** Nesting depth of the deepest schema. Values below this depth aren't checked, so they don't need to be truncated. */
const MAX_SCHEMA_DEPTH = 10;

/** Maximum length of a time, in characters. Allows for fractions of a second with many digits. */
const MAX_TIME_LENGTH = 100;

const DAY_LENGTH = '2026-11-21'.length;

/** Formats that check the length of the text themselves. */
const BOUNDED_FORMATS = {
  timestamp: (text: string) => text.length <= MAX_TIME_LENGTH && parseTimestamp(text) !== null,
  'date-time': (text: string) => BOUNDED_FORMATS.timestamp(text) && /[Tt ]/.test(text),
  uuid: isUuid,
  date: (text: string) => text.length === DAY_LENGTH && parseTimestamp(text) !== null,
  [IP_ADDRESS]: isIpAddress,
};

const FORMATS = {
  ...BOUNDED_FORMATS,
  // `URL.canParse` ignores line breaks, which would then be stored.
  uri: (text: string) => isSingleLine(text) && URL.canParse(text),
  [POSTGRES_TEXT]: isPostgresText,
  [SINGLE_LINE]: isSingleLine,
  [ROBOTS_PATH]: isRobotsPath,
  [LICENSE_URL]: isLicenseUrl,
};

/** Problem details for invalid values, by format. */
const FORMAT_FAULTS: Record<keyof typeof FORMATS, string> = {
  timestamp: `${TIME_FAULT}, such as 2026-11-21T08:30:00Z`,
  'date-time': 'must be an ISO 8601 date-time, such as 2026-11-21T08:30:00Z',
  date: 'must be a day, such as 2026-11-21',
  uuid: 'must be a UUID, such as 018f3c1e-5d7a-7c3b-9a51-0c6a2f5f1f10',
  uri: 'must be a URL on one line, such as https://example.com/',
  [POSTGRES_TEXT]: 'must not contain NUL characters or unpaired surrogates',
  [SINGLE_LINE]: 'must be text on one line, without control characters, and not blank',
  [IP_ADDRESS]: 'must be an IP address without a port, such as 203.0.113.7 or 2001:db8::7',
  [ROBOTS_PATH]: 'must be a path on one line, such as /private/ or /*.pdf$, or empty',
  [LICENSE_URL]: 'must be an absolute URL in ASCII, without #, such as https://example.com/license.xml',
};

// Validates input as sent, without coercion, removal or defaults.
const options = {
  strict: true,
  strictTypes: false,
  allowUnionTypes: true,
  discriminator: true,
  formats: FORMATS,
  // Strict mode already rejects invalid schemas, and the meta-schema is slow to compile.
  meta: false,
  validateSchema: false,
} as const;
const fastAjv = new Ajv2020(options);
const explainingAjv = new Ajv2020({ ...options, allErrors: true });
// Without `allErrors`, Ajv stops at the first error, including a wrong length. The check is still added to both
// instances, so that both reject schemas without `maxLength`.
for (const ajv of [fastAjv, explainingAjv]) checkLengthsFirst(ajv, new Set(Object.keys(BOUNDED_FORMATS)));

/** Compiled schema. Use `is` on hot paths, and `faults` to explain why a value is invalid. */
interface Validator<T> {
  is(value: unknown): value is T;
  /** Returns up to {@link MAX_FAULTS} faults. Their pointers start with `prefix`. */
  faults(value: unknown, prefix?: string): Fault[];
}

/**
 * Returns a validator that compiles the schema on first use because most processes only use a few schemas. Call this once
 * per schema, at module level. Compiling throws an Error if the schema has a `pattern` or `format` without a `maxLength`.
 */
export function validator<S extends TSchema>(schema: S): Validator<Static<S>> {
  const compile = <T>(ajv: Ajv2020): ValidateFunction<T> => {
    const { $id } = schema as { $id?: string };
    return (($id && ajv.getSchema($id)) || ajv.compile(schema)) as ValidateFunction<T>;
  };
  let isValid: ValidateFunction<Static<S>> | undefined;
  // Compiled only when a value is rejected, because most schemas never reject anything.
  let explain: ValidateFunction<Static<S>> | undefined;
  const is = (value: unknown): value is Static<S> => (isValid ??= compile<Static<S>>(fastAjv))(value);
  return {
    is,
    faults: (value, prefix = '') => {
      if (is(value)) return [];
      const first = isValid?.errors ?? [];
      // Checks a truncated copy, because the original can contain so many errors that listing all of them would take
      // too long.
      explain ??= compile<Static<S>>(explainingAjv);
      const errors = explain(truncate(value)) ? first : (explain.errors ?? []);
      return errors.slice(0, MAX_FAULTS).map((error) => toFault(error, prefix));
    },
  };
}

function truncate(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_SCHEMA_DEPTH) return value;
  if (Array.isArray(value)) return value.slice(0, MAX_EXPLAINED).map((item) => truncate(item, depth + 1));
  const object = value as Record<string, unknown>;
  const names = Object.keys(object).slice(0, MAX_EXPLAINED);
  return Object.fromEntries(names.map((name) => [name, truncate(object[name], depth + 1)]));
}

function toFault(error: ErrorObject, prefix: string): Fault {
  const pointer = prefix + error.instancePath;
  if (error.keyword === 'required') {
    const name = String(error.params['missingProperty']);
    return { pointer: `${pointer}/${escapePointer(name)}`, detail: 'is required' };
  }
  if (error.keyword === 'additionalProperties') {
    const name = String(error.params['additionalProperty']);
    return { pointer: `${pointer}/${escapePointer(name)}`, detail: 'is not a known field' };
  }
  if (error.keyword === 'discriminator') {
    return { pointer: `${pointer}/${escapePointer(String(error.params['tag']))}`, detail: 'is not a known value' };
  }
  return { pointer, detail: toFaultDetail(error) };
}

function toFaultDetail(error: ErrorObject): string {
  if (error.keyword === 'type') {
    const types = [error.params['type'] as string | string[]].flat();
    return `must be ${types.filter((type) => type !== 'null').join(' or ')}`;
  }
  if (error.keyword === 'enum') {
    return `must be one of: ${(error.params['allowedValues'] as unknown[]).map((value) => String(value)).join(', ')}`;
  }
  return KEYWORD_FAULTS[error.keyword]?.(error.params) ?? error.message ?? 'is not valid';
}

const describeMinimum = (limit: unknown, noun: string): string =>
  limit === 1 ? 'must not be empty' : `must have ${String(limit)} ${noun} or more`;

/** Problem details by JSON Schema keyword. They replace Ajv's messages, which are intended for developers. */
const KEYWORD_FAULTS: Record<string, (params: Record<string, unknown>) => string | undefined> = {
  format: ({ format }) => FORMAT_FAULTS[format as keyof typeof FORMATS],
  pattern: ({ pattern }) => PATTERN_FAULTS[String(pattern)],
  maxItems: ({ limit }) => `must have ${String(limit)} items or fewer`,
  minItems: ({ limit }) => describeMinimum(limit, 'items'),
  maxLength: ({ limit }) => `must have ${String(limit)} characters or fewer`,
  minLength: ({ limit }) => describeMinimum(limit, 'characters'),
  minProperties: ({ limit }) => describeMinimum(limit, 'fields'),
  minimum: ({ limit }) => `must be ${String(limit)} or more`,
  maximum: ({ limit }) => `must be ${String(limit)} or less`,
  uniqueItems: () => 'must not contain duplicate items',
};

/** Escapes a reference token for a JSON Pointer (RFC 6901, section 3). */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
