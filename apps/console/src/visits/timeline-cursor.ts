const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A place in the timeline, and on which side of it the page lies. */
export interface Cursor {
  /** Older than the place, older or the place itself, newer. */
  side: '<' | '<=' | '>';
  /** Milliseconds since the epoch. */
  occurredAt: number;
  id: string;
}

/** Opaque to clients. */
export function writeCursor({ side, occurredAt, id }: Cursor): string {
  return Buffer.from(`${side} ${occurredAt} ${id}`).toString('base64url');
}

/** @returns null when the text is no cursor. */
export function readCursor(text: string): Cursor | null {
  const [side, occurredAt, id, ...rest] = Buffer.from(text, 'base64url').toString().split(' ');
  if (side !== '<' && side !== '<=' && side !== '>') return null;
  if (rest.length > 0 || !/^-?\d{1,15}$/.test(occurredAt ?? '') || !UUID.test(id ?? '')) return null;
  return { side, occurredAt: Number(occurredAt), id: id! };
}
