import { Type, type TStringOptions } from 'typebox';

/** JSON Schema format names. */
export const POSTGRES_TEXT = 'postgres-text';
export const SINGLE_LINE = 'single-line';

/** Returns whether PostgreSQL can store the text, which must not contain NUL or unpaired surrogates. */
export const isPostgresText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Returns whether the text is visible and has no line breaks, including U+2028 and U+2029. */
export const isSingleLine = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== '';

type Options = TStringOptions & { maxLength: number };

/** Text that PostgreSQL can store. */
export const StoredText = (options: Options) => Type.String({ ...options, format: POSTGRES_TEXT });

/** Single-line text, such as a name. */
export const SingleLine = (options: Options) => Type.String({ ...options, format: SINGLE_LINE });

/** User-chosen name of a resource. */
export const Name = SingleLine({ minLength: 1, maxLength: 200 });
