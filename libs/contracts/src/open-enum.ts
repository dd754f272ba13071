import { Type, type TUnsafe } from 'typebox';

/**
 * A word of which the known values are listed, but no other is refused: stored visits and messages under way may be of an
 * earlier or a later release.
 *
 * @param values with `null` where the field can be null.
 */
export function openEnum<T extends string | null = string>(values: readonly T[], description: string): TUnsafe<T> {
  const type = values.includes(null as T) ? ['string', 'null'] : 'string';
  return Type.Unsafe<T>({
    description,
    anyOf: [
      { type, enum: values },
      { type: 'string', description: 'Another release may have more' },
    ],
  });
}
