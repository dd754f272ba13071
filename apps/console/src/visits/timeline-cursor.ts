import { cursorCodec, MAX_TIME, MIN_TIME } from '#libs/contracts';
import { Type } from 'typebox';

/** A place in the timeline, and on which side of it the page lies. */
export interface Cursor {
  /** Older than the place, older or the place itself, newer. */
  side: '<' | '<=' | '>';
  /** Milliseconds since the epoch. */
  occurredAt: number;
  id: string;
}

const codec = cursorCodec({
  side: Type.Unsafe<Cursor['side']>({ enum: ['<', '<=', '>'] }),
  occurredAt: Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME }),
  id: Type.String({ format: 'uuid' }),
});

/** Opaque to clients. */
export const writeCursor = ({ side, occurredAt, id }: Cursor): string => codec.write({ side, occurredAt, id });

/** @returns null when the text is not a cursor. */
export const readCursor = (text: string): Cursor | null => codec.read(text);
