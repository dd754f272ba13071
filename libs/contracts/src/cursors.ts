import { Type } from 'typebox';
import { cursorCodec } from './cursor.js';
import { StoredText } from './text.schema.js';
import { MAX_TIME, MIN_TIME } from './timestamp.js';

const id = Type.String({ format: 'uuid' });

/** Timeline position, and the direction in which the page continues from it. */
export interface TimelineCursor {
  /** `<` selects older visits and `>` newer ones. `<=` and `>=` include the position itself. */
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

/** Last visit of the last session on the previous page, or the last visit that was searched. */
export const journeyCursor = cursorCodec({
  occurredAt: Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME }),
  id,
});

/** Last dead letter on the previous page. */
export const deadLetterCursor = cursorCodec({ failedAt: Type.String({ format: 'date-time' }), id });

/** Last audit log entry on the previous page. */
export const auditCursor = cursorCodec({
  /** Microseconds since the epoch. */
  occurredAt: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  id,
});

/** Last robots.txt version on the previous page. */
export const robotsVersionCursor = cursorCodec({
  /** Milliseconds since the epoch. */
  servedFrom: Type.Integer({ minimum: MIN_TIME, maximum: MAX_TIME }),
  id,
});

/** Progress of a visit deletion. Only the visit store interprets it. */
export interface VisitDeletionCursor {
  table: string;
  /** Last processed ID. */
  after: string;
  /** Start time in milliseconds since the epoch. */
  since: number;
}

export const visitDeletionCursor = cursorCodec({
  table: Type.String({ maxLength: 63, pattern: '^[a-z0-9_]*$' }),
  after: id,
  since: Type.Integer({ minimum: 0, maximum: MAX_TIME }),
});

/** Last visiting agent on the previous page. */
export interface VisitingAgentCursor {
  /** Sort key: number of visits, milliseconds since the epoch, or token. */
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

/** Last page in the previous part of a list of pages. */
export const coveredPageCursor = cursorCodec({ page: StoredText({ maxLength: 500 }) });
