import { fromLines, toLines } from '../format/lines.js';
import type { DrainMapping, DrainSettings, DrainSettingsChange } from './queries.js';

interface DrainFields extends Record<string, unknown> {
  leaves_out_static_files: boolean;
  allows_token_in_url: boolean;
  /** A new secret. The stored secret is never returned. */
  vercel_secret: string;
  removes_vercel_secret: boolean;
  vercel_verify: string;
  /** One ID per line. */
  fastly_service_ids: string;
  /** One `field=key` per line. */
  mapping: string;
}
export type DrainField = Exclude<keyof DrainSettingsChange, symbol>;

/** Fields that can be mapped, required ones first. */
export const MAPPED_FIELDS: Record<keyof DrainMapping, string> = {
  time: 'ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970',
  client: 'address of the connection’s peer',
  path: 'path or whole URL, with or without the query',
  method: 'GET where it is absent',
  query: 'the query, if it is apart from the path',
  status: 'status code',
  size: 'bytes of the response body',
  duration: 'how long the response took',
  duration_unit: 'not a key: s, ms, us or ns; ms if absent',
  host: 'host name of the site',
  user_agent: 'User-Agent',
  referer: 'Referer',
  forwarded_for: 'X-Forwarded-For, as received',
  headers: 'object with all request headers, for signatures',
  id: 'id of the request: lines with the same id count once',
};
const REQUIRED = ['time', 'client', 'path'] as const;

/** Returns the mapped fields in a fixed order, because PostgreSQL doesn't preserve the order of keys. */
const mappedFields = ({ mapping }: DrainSettings) =>
  (Object.keys(MAPPED_FIELDS) as (keyof DrainMapping)[]).filter((field) => mapping?.[field] !== undefined);

export const fieldsOf = (settings: DrainSettings): DrainFields => ({
  leaves_out_static_files: settings.leaves_out_static_files,
  allows_token_in_url: settings.allows_token_in_url,
  vercel_secret: '',
  removes_vercel_secret: false,
  vercel_verify: settings.vercel_verify ?? '',
  fastly_service_ids: toLines(settings.fastly_service_ids),
  mapping: toLines(mappedFields(settings).map((field) => `${field}=${settings.mapping![field]}`)),
});

/** Returns the change to submit, limited to the fields that the form shows. */
export function changeOf(values: DrainFields, shown: readonly DrainField[]): DrainSettingsChange {
  const { vercel_secret: secret, removes_vercel_secret: removes, vercel_verify: verify } = values;
  const all: DrainSettingsChange = {
    leaves_out_static_files: values.leaves_out_static_files,
    allows_token_in_url: values.allows_token_in_url,
    vercel_verify: verify.trim() || null,
    fastly_service_ids: fromLines(values.fastly_service_ids),
    mapping: mappingOf(values.mapping) as DrainMapping | null,
    ...(removes ? { vercel_secret: null } : secret.trim() !== '' && { vercel_secret: secret.trim() }),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => shown.includes(name as DrainField)));
}

/** Returns the error in a mapping, or null if it is valid or empty. */
export function mappingFault(text: string): string | null {
  const mapping = mappingOf(text);
  if (mapping === null) return null;
  for (const [field, key] of Object.entries(mapping)) {
    if (!Object.hasOwn(MAPPED_FIELDS, field)) return `“${field}” is not a field. Write field=key, one per line.`;
    if (key === '') return `Enter the key for ${field}, as in ${field}=request.${field}.`;
  }
  const missing = REQUIRED.filter((field) => !(field in mapping));
  return missing.length === 0 ? null : `Add ${missing.join(', ')}: a visit needs ${REQUIRED.join(', ')}.`;
}

/** Parses a mapping. Returns null for empty text. */
function mappingOf(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return null;
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.includes('=') ? line.indexOf('=') : line.length;
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}
