import { parseList, joinLines } from '../format/lines.js';
import type { DrainMapping, DrainSettings, DrainSettingsChange } from './queries.js';

interface DrainFields extends Record<string, unknown> {
  leaves_out_static_files: boolean;
  allows_token_in_url: boolean;
  /** New secret. The server never returns the stored one. */
  vercel_secret: string;
  removes_vercel_secret: boolean;
  vercel_verify: string;
  /** One ID per line. */
  fastly_service_ids: string;
  /** One `field=key` per line. */
  mapping: string;
}
export type DrainField = Exclude<keyof DrainSettingsChange, symbol>;

/** Descriptions of the fields that can be mapped, required ones first. */
export const MAPPED_FIELDS: Record<keyof DrainMapping, string> = {
  time: 'ISO 8601 time, or seconds, milliseconds, microseconds or nanoseconds since 1970',
  client: 'IP address of the connection’s peer',
  path: 'path or full URL, with or without the query string',
  method: 'HTTP method. Default: GET',
  query: 'query string, if it’s separate from the path',
  status: 'status code',
  size: 'response body size in bytes',
  duration: 'response time',
  duration_unit: 'a unit, not a key: s, ms, us or ns. Default: ms',
  host: 'the site’s host name',
  user_agent: 'User-Agent',
  referer: 'Referer',
  forwarded_for: 'X-Forwarded-For, as received',
  headers: 'object containing all request headers, for signature checks',
  id: 'request ID. Lines with the same ID count once',
};
const REQUIRED_FIELDS = ['time', 'client', 'path'] as const;

/** Returns the mapped fields in a fixed order, because PostgreSQL doesn't preserve key order. */
const listMappedFields = ({ mapping }: DrainSettings) =>
  (Object.keys(MAPPED_FIELDS) as (keyof DrainMapping)[]).filter((field) => mapping?.[field] !== undefined);

export const toDrainFields = (settings: DrainSettings): DrainFields => ({
  leaves_out_static_files: settings.leaves_out_static_files,
  allows_token_in_url: settings.allows_token_in_url,
  vercel_secret: '',
  removes_vercel_secret: false,
  vercel_verify: settings.vercel_verify ?? '',
  fastly_service_ids: joinLines(settings.fastly_service_ids),
  mapping: joinLines(listMappedFields(settings).map((field) => `${field}=${settings.mapping![field]}`)),
});

/** Returns the change to submit, limited to the fields shown in the form. */
export function toDrainSettingsChange(values: DrainFields, visibleFields: readonly DrainField[]): DrainSettingsChange {
  const { vercel_secret: secret, removes_vercel_secret: removes, vercel_verify: verify } = values;
  const all: DrainSettingsChange = {
    leaves_out_static_files: values.leaves_out_static_files,
    allows_token_in_url: values.allows_token_in_url,
    vercel_verify: verify.trim() || null,
    fastly_service_ids: parseList(values.fastly_service_ids),
    mapping: parseMapping(values.mapping) as DrainMapping | null,
    ...(removes ? { vercel_secret: null } : secret.trim() !== '' && { vercel_secret: secret.trim() }),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => visibleFields.includes(name as DrainField)));
}

/** Returns an error message, or null if the mapping is valid or empty. */
export function validateMapping(text: string): string | null {
  const mapping = parseMapping(text);
  if (mapping === null) return null;
  for (const [field, key] of Object.entries(mapping)) {
    if (!Object.hasOwn(MAPPED_FIELDS, field)) return `“${field}” isn’t a field. Enter one field=key pair per line.`;
    if (key === '') return `Enter a key for ${field}, such as ${field}=request.${field}.`;
  }
  const missing = REQUIRED_FIELDS.filter((field) => !(field in mapping));
  return missing.length === 0 ? null : `Add ${missing.join(', ')}. Required fields: ${REQUIRED_FIELDS.join(', ')}.`;
}

/** Parses `field=key` lines. Returns null for empty text. */
function parseMapping(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const separatorIndex = line.includes('=') ? line.indexOf('=') : line.length;
      return [line.slice(0, separatorIndex).trim(), line.slice(separatorIndex + 1).trim()];
    }),
  );
}
