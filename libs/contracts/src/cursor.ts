import { Type, type Static, type TProperties } from 'typebox';
import { validator } from './validator.js';

/** Characters of a cursor; the longest position, behind an agent's token, takes some 2,700. */
const MAX_CURSOR_LENGTH = 4_096;

/** Writes a position in a list as a text that is opaque to clients, and reads it back. */
interface CursorCodec<T> {
  write(position: T): string;
  /** @returns null for any text that is not a cursor of this list. */
  read(text: string): T | null;
}

/** @param fields of a position, each so narrow that every value of it can be searched for. */
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
