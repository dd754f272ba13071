import { Type, type TStringOptions } from 'typebox';

/** JSON Schema format names. */
export const POSTGRES_TEXT = 'postgres-text';
export const SINGLE_LINE = 'single-line';

/** Returns true if PostgreSQL can store the text. It must not contain NUL characters or unpaired surrogates. */
export const isPostgresText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Returns true if the text isn't blank and contains no control characters or line breaks, including U+2028 and U+2029. */
export const isSingleLine = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== '';

type Options = TStringOptions & { maxLength: number };

/** Returns a schema for text that PostgreSQL can store. */
export const StoredText = (options: Options) => Type.String({ ...options, format: POSTGRES_TEXT });

/** Returns a schema for a single line of text, such as a name. */
export const SingleLine = (options: Options) => Type.String({ ...options, format: SINGLE_LINE });

/** User-defined name of a resource. */
export const Name = SingleLine({ minLength: 1, maxLength: 200 });
