import type { TSchema } from 'typebox';

/** Subset of JSON Schema used by the contracts. */
interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minLength?: number;
  minimum?: number;
  examples?: unknown[];
}

const FORMATS: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  timestamp: '2026-11-22T08:00:00Z',
  'date-time': '2026-11-22T08:00:00Z',
  uri: 'https://site.example/',
};

/** Returns a mostly valid value that contains every member, so that each can be replaced. */
export function sampleOf(of: TSchema): unknown {
  const schema = of as Schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.anyOf !== undefined) return sampleOf(schema.anyOf[0]!);
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, sampleOf(member)]));
  }
  if (schema.items !== undefined) return [sampleOf(schema.items)];
  const type = [schema.type].flat()[0];
  if (type === 'string') return FORMATS[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 1);
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  return type === 'boolean' ? true : type === 'object' ? {} : null;
}

/** Returns the path of every field, and an empty path for the entire value. */
export function fieldsOf(of: TSchema, path: string[] = []): string[][] {
  const { properties = {}, items, anyOf = [] } = of as Schema;
  return [
    path,
    ...Object.entries(properties).flatMap(([name, member]) => fieldsOf(member, [...path, name])),
    ...(items === undefined ? [] : fieldsOf(items, [...path, '0'])),
    // Alternatives share the same path. The sample only contains the first one's fields.
    ...anyOf.flatMap((one) => fieldsOf(one, path).slice(1)),
  ];
}

const PLACE = '@place@';

/** Returns the JSON of a value, with other JSON inserted at a path. Missing parents are created. */
export function jsonWith(value: unknown, path: readonly string[], json: string): string {
  if (path.length === 0) return json;
  const copy = structuredClone(value ?? {}) as Record<string, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) {
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1)!] = PLACE;
  return JSON.stringify(copy).replace(JSON.stringify(PLACE), () => json);
}
