/** Collects the schemas that have an `$id`, so that a document names each of them once. */
export class ComponentSchemas {
  /** By `$id`, without it. */
  readonly schemas: Record<string, object> = {};

  /** The schema with a reference in place of every schema that has an `$id`, itself included. */
  referenced(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.referenced(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, ...rest } = schema as { $id?: string };
    const resolved = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, this.referenced(value)]));
    if ($id === undefined) return resolved;
    this.schemas[$id] = resolved;
    return { $ref: `#/components/schemas/${$id}` };
  }
}
