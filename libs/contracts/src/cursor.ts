import { Type, type Static, type TProperties } from 'typebox';
import { validator } from './validator.js';

/** Maximum length of a cursor, in characters. The longest valid cursor contains an agent token and has about 2,700. */
const MAX_CURSOR_LENGTH = 4_096;

/** Encodes list positions as strings that are opaque to clients. */
interface CursorCodec<T> {
  write(position: T): string;
  /** Decodes a cursor. Returns null if it isn't a valid cursor for this list. */
  read(text: string): T | null;
}

/** @param fields Schemas of a position's fields. They must only accept values that can be used in a database query. */
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
