import { Type } from 'typebox';
import {
  MAX_LISTED_FETCHES,
  MAX_STATEMENT_DAYS,
  MAX_STATEMENT_FETCHES,
  NewStatementKeySchema,
  STATEMENT_KEYS_PATH,
  StatementKeySchema,
  StatementKeySetSchema,
} from '../statement.schema.js';
import { parseTimestamp } from '../timestamp.js';
import { operation } from './operation.js';
import { BODY, oneOf, parsedText, PROJECT, singleParameter, withDefault } from './parameters.js';

const DAY_MS = 86_400_000;

/** Start of a UTC day, parsed to milliseconds since the epoch. */
const DAY = parsedText(
  'must be the start of a UTC day, such as 2026-11-01',
  (text) => {
    const time = parseTimestamp(text);
    return time !== null && time % DAY_MS === 0 ? time : null;
  },
  Type.String({ examples: ['2026-11-01'] }),
);

export const createStatement = operation({
  method: 'get',
  path: '/api/projects/{id}/statement',
  id: 'createStatement',
  limitsReaders: true,
  audit: { change: 'done', subject: 'visits', id: 'id' },
  access: 'viewer',
  tag: 'Statements',
  summary: "Download a signed statement of an operator's fetches",
  description:
    'The statement covers full UTC days. `html` is a document for people, and `ndjson` contains one record per line. ' +
    'The last line contains an Ed25519 signature of everything before it, which `agent-traffic statement verify` checks. ' +
    'The same data always results in the same bytes. ' +
    `A statement covers at most ${MAX_STATEMENT_FETCHES} fetches, and lists up to ${MAX_LISTED_FETCHES} disallowed ones in NDJSON.`,
  params: { id: PROJECT },
  query: {
    operator: singleParameter(
      'Company that operates the agents, as named in the catalog (for example, OpenAI). Required.',
    ),
    from: singleParameter('First day (UTC). Default: 30 days before `to`.', DAY),
    to: singleParameter(
      `Day after the last day (UTC), at most ${MAX_STATEMENT_DAYS} days after \`from\`. Default: today, so the last day is yesterday.`,
      DAY,
    ),
    format: withDefault(singleParameter('File format', oneOf(['html', 'ndjson'])), 'html'),
    addresses: withDefault(
      singleParameter('Whether the statement includes client addresses', oneOf(['omit', 'include'])),
      'omit',
    ),
  },
  answer: Type.String(),
  mediaType: 'text/html',
  otherMediaType: 'application/x-ndjson',
  answerHeaders: {
    'Content-Disposition': '`attachment`, with a file name that contains the project, operator and range',
  },
  problems: [404, 422, 429],
});

export const getStatementKeys = operation({
  method: 'get',
  path: STATEMENT_KEYS_PATH,
  id: 'getStatementKeys',
  access: 'public',
  tag: 'Statements',
  summary: 'List the public keys of signed statements',
  answer: StatementKeySetSchema,
});

export const replaceStatementKey = operation({
  method: 'post',
  path: '/api/statement-keys',
  id: 'replaceStatementKey',
  access: 'administrator',
  confirms: true,
  tag: 'Statements',
  summary: 'Replace the key that signs statements',
  description:
    'New statements are signed with the new key. The previous private key is deleted, and its public key remains listed, so earlier statements can still be checked.',
  body: NewStatementKeySchema,
  answer: StatementKeySchema,
  problems: BODY,
});

export const STATEMENT_OPERATIONS = [createStatement, getStatementKeys, replaceStatementKey];
