import { Type, type Static, type TProperties } from 'typebox';
import { validator } from './validator.js';

/** Maximum length of a cursor. The longest, with an agent's token, has about 2,700 characters. */
const MAX_CURSOR_LENGTH = 4_096;

/** Encodes positions in a list as text that is opaque to clients. */
interface CursorCodec<T> {
  write(position: T): string;
  /** @returns null if the text is not a cursor of this list. */
  read(text: string): T | null;
}

/** @param fields of a position. Their schemas must only accept values that can be used in a query. */
export function cursorCodec<P extends TProperties>(fields: P): CursorCodec<Static<ReturnType<typeof Type.Object<P>>>> {
  const schema = Type.Object(fields, { additionalProperties: false });
  const { is } = validator(schema);
  return {
    write: (position) => Buffer.from(JSON.stringify(position)).toString('base64url'),
    read(text) {
      if (text.length > MAX_CURSOR_LENGTH || !/^[\w-]+$/.test(text)) return null;
      try {
        const position: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
        return is(position) ? position : null;
      } catch {
        return null;
      }
    },
  };
}
