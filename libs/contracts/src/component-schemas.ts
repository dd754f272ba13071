/** Collects schemas that have an `$id` so that a document contains each of them only once. */
export class ComponentSchemas {
  /** Schemas by `$id`, without the `$id` itself. */
  readonly schemas: Record<string, object> = {};

  /** Replaces every schema that has an `$id`, including `schema` itself, with a `$ref`. */
  replaceWithRefs(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.replaceWithRefs(item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $id, ...rest } = schema as { $id?: string };
    const resolved = Object.fromEntries(
      Object.entries(rest).map(([name, value]) => [name, this.replaceWithRefs(value)]),
    );
    if ($id === undefined) return resolved;
    this.schemas[$id] = resolved;
    return { $ref: `#/components/schemas/${$id}` };
  }
}
