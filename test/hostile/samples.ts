import type { TSchema } from 'typebox';

/** Subset of JSON Schema that the contracts use. */
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

const FORMAT_SAMPLES: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  timestamp: '2026-11-22T08:00:00Z',
  'date-time': '2026-11-22T08:00:00Z',
  uri: 'https://site.example/',
};

/** Returns a mostly valid value that contains every property of the schema, so tests can replace any of them. */
export function createSample(typeSchema: TSchema): unknown {
  const schema = typeSchema as Schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.anyOf !== undefined) return createSample(schema.anyOf[0]!);
  if (schema.properties !== undefined) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, createSample(member)]));
  }
  if (schema.items !== undefined) return [createSample(schema.items)];
  const type = [schema.type].flat()[0];
  if (type === 'string') return FORMAT_SAMPLES[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 1);
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  return type === 'boolean' ? true : type === 'object' ? {} : null;
}

/** Returns the path of every field. The first path is empty and stands for the entire value. */
export function listFieldPaths(typeSchema: TSchema, path: string[] = []): string[][] {
  const { properties = {}, items, anyOf = [] } = typeSchema as Schema;
  return [
    path,
    ...Object.entries(properties).flatMap(([name, member]) => listFieldPaths(member, [...path, name])),
    ...(items === undefined ? [] : listFieldPaths(items, [...path, '0'])),
    // Skip the first path in each alternative, because it's the current one. The sample only contains the fields of the
    // first alternative.
    ...anyOf.flatMap((alternative) => listFieldPaths(alternative, path).slice(1)),
  ];
}

const PLACEHOLDER = '@place@';

/** Serializes a value with raw JSON inserted at a path. Creates missing parents. */
export function insertJson(value: unknown, path: readonly string[], json: string): string {
  if (path.length === 0) return json;
  const copy = structuredClone(value ?? {}) as Record<string, unknown>;
  let parent = copy;
  for (const name of path.slice(0, -1)) {
    if (typeof parent[name] !== 'object' || parent[name] === null) parent[name] = {};
    parent = parent[name] as Record<string, unknown>;
  }
  parent[path.at(-1)!] = PLACEHOLDER;
  return JSON.stringify(copy).replace(JSON.stringify(PLACEHOLDER), () => json);
}
