import { Type, type TUnsafe } from 'typebox';

/**
 * Returns an enum schema that documents the known values but also accepts others, because stored visits and in-flight
 * messages can come from another release.
 *
 * @param values Known values. Must include `null` if the field is nullable.
 */
export function openEnum<T extends string | null = string>(values: readonly T[], description: string): TUnsafe<T> {
  const type = values.includes(null as T) ? ['string', 'null'] : 'string';
  return Type.Unsafe<T>({
    description,
    anyOf: [
      { type, enum: values },
      { type: 'string', description: 'Value added in another release' },
    ],
  });
}
