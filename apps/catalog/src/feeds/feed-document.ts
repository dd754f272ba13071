import { isSignedAgents, openSignedAgents } from '#libs/catalog';
import { exceededLimit, jsonLimits, MAX_AGENTS, type FeedFormat } from '#libs/contracts';
import { FeedError } from './feed-error.js';
import { agentTraffic } from './formats/agent-traffic.js';
import { aiRobotsTxt } from './formats/ai-robots-txt.js';
import { crawlerUserAgents } from './formats/crawler-user-agents.js';
import type { FeedEntry } from './formats/format.js';
import { wellKnownBots } from './formats/well-known-bots.js';

export const MAX_FEED_BYTES = 5_000_000;
/** Maximum nesting depth. Public lists have up to 6 levels. */
const MAX_DEPTH = 20;

const READERS = [agentTraffic, crawlerUserAgents, aiRobotsTxt, wellKnownBots];

interface FeedDocument {
  format: FeedFormat;
  /** Time of the signature, in milliseconds since the epoch. Null if the document isn't signed. */
  signedAt: number | null;
  /** Parsed lazily. Can only be iterated once. */
  entries: Iterable<FeedEntry>;
}

/**
 * Parses a feed's document, in any supported format.
 *
 * @param publicKey PEM key with which the document must be signed. If null, it must not be signed.
 * @throws {FeedError} if the document as a whole can't be used.
 */
export function readFeedDocument(bytes: Buffer, publicKey: string | null): FeedDocument {
  const outer = parse(bytes);
  const isSigned = isSignedAgents(outer);
  if (isSigned && publicKey === null) throw new FeedError('signature', 'It is signed, and the feed has no public key.');
  if (!isSigned && publicKey !== null)
    throw new FeedError('signature', 'It is not signed, and the feed has a public key.');
  const { payload, signedAt } = isSigned ? open(outer, publicKey!) : { payload: null, signedAt: null };
  const document = payload === null ? outer : parse(payload);
  const reader = READERS.find((one) => one.recognizes(document));
  if (reader === undefined) throw new FeedError('unknown_format', 'It has no agents in a format that is known.');
  const { length } = Object.keys(document as object);
  if (length > MAX_AGENTS) {
    const [has, most] = [length, MAX_AGENTS].map((number) => number.toLocaleString('en'));
    throw new FeedError('too_many_agents', `It has ${has} agents, more than ${most}.`);
  }
  return { format: reader.format, signedAt, entries: reader.entries(document) };
}

function open(...signed: Parameters<typeof openSignedAgents>): ReturnType<typeof openSignedAgents> {
  try {
    return openSignedAgents(...signed);
  } catch (error) {
    throw new FeedError('signature', `It was not taken: ${(error as Error).message}.`);
  }
}

function parse(bytes: Buffer): unknown {
  if (bytes.length > MAX_FEED_BYTES) {
    throw new FeedError('too_large', `It is larger than ${MAX_FEED_BYTES.toLocaleString('en')} bytes.`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FeedError('unreadable', 'It is not UTF-8.');
  }
  const exceeded = exceededLimit(text, { ...jsonLimits(MAX_FEED_BYTES), depth: MAX_DEPTH });
  if (exceeded?.limit === 'depth')
    throw new FeedError('unreadable', `It is nested more than ${MAX_DEPTH} levels deep.`);
  if (exceeded !== null) throw new FeedError('too_large', 'It has too many values.');
  try {
    return JSON.parse(text);
  } catch {
    throw new FeedError('unreadable', 'It is not JSON.');
  }
}
