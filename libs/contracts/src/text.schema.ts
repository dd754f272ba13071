import { Type, type TStringOptions } from 'typebox';

/** Names of the formats in a schema. */
export const POSTGRES_TEXT = 'postgres-text';
export const SINGLE_LINE = 'single-line';

/** Whether PostgreSQL can store a text: it takes neither NUL nor half of a surrogate pair. */
export const isPostgresText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether a text shows as one line everywhere (for some readers U+2028 ends a line), and shows at all. */
export const isSingleLine = (text: string): boolean => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && text.trim() !== '';

type Options = TStringOptions & { maxLength: number };

/** A text that is stored as it was sent. */
export const StoredText = (options: Options) => Type.String({ ...options, format: POSTGRES_TEXT });

/** A name or the like, on one line. */
export const SingleLine = (options: Options) => Type.String({ ...options, format: SINGLE_LINE });

/** The name that somebody gives to what they make. */
export const Name = SingleLine({ minLength: 1, maxLength: 200 });
