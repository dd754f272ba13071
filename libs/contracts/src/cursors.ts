import { Type } from 'typebox';
import { cursorCodec } from './cursor.js';
import { StoredText } from './text.schema.js';
import { MAX_TIME, MIN_TIME } from './timestamp.js';

const id = Type.String({ format: 'uuid' });

/** A position in the timeline, and on which side of it the page lies. */
export interface TimelineCursor {
  /** Older than the position, or newer; with `=` also the position itself. */
  side: '<' | '<=' | '>' | '>=';
  /** Milliseconds since the epoch. */
  occurredAt: number;
  id: string;
}

export const timelineCursor = cursorCodec({
  side: Type.Unsafe<TimelineCursor['side']>({ enum: ['<', '<=', '>', '>='] }),
  occurredAt: Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME }),
  id,
});

/** The last dead letter before a page. */
export const deadLetterCursor = cursorCodec({ failedAt: Type.String({ format: 'date-time' }), id });

/** The last entry of the audit log before a page. */
export const auditCursor = cursorCodec({
  /** Microseconds since the epoch. */
  occurredAt: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  id,
});

/** The last version of a robots.txt before a page. */
export const robotsVersionCursor = cursorCodec({
  /** Milliseconds since the epoch. */
  servedFrom: Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME }),
  id,
});

/** How far visits were looked through: the table, the last id of those that were done, and when that began. */
export const visitDeletionCursor = cursorCodec({
  table: Type.String({ maxLength: 63, pattern: '^[a-z0-9_]*$' }),
  after: id,
  /** Milliseconds since the epoch. */
  since: Type.Integer({ minimum: 0, maximum: MAX_TIME }),
});

/** The last of the visiting agents before a page. */
export interface VisitingAgentCursor {
  /** What they are sorted by: visits, milliseconds since the epoch, or the token. */
  key: number | string;
  agentId: string;
}

const byNumber = cursorCodec({ key: Type.Integer({ minimum: 0, maximum: MAX_TIME }), agentId: id });
const byToken = cursorCodec({ key: StoredText({ maxLength: 500 }), agentId: id });

export const visitingAgentCursor = {
  write: ({ key, agentId }: VisitingAgentCursor): string =>
    typeof key === 'number' ? byNumber.write({ key, agentId }) : byToken.write({ key, agentId }),
  read: (text: string): VisitingAgentCursor | null => byNumber.read(text) ?? byToken.read(text),
};
