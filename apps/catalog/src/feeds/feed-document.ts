import { isSignedAgents, openSignedAgents } from '#libs/catalog';
import { exceededLimit, jsonLimits, MAX_AGENTS, type FeedFormat } from '#libs/contracts';
import { FeedError } from './feed-error.js';
import { agentTraffic } from './formats/agent-traffic.js';
import { aiRobotsTxt } from './formats/ai-robots-txt.js';
import { crawlerUserAgents } from './formats/crawler-user-agents.js';
import type { FeedEntry } from './formats/format.js';
import { wellKnownBots } from './formats/well-known-bots.js';

/** Bytes of a feed's document, at most. */
export const MAX_FEED_BYTES = 5_000_000;
/** Levels within one another; the public lists have 6. */
const MAX_DEPTH = 20;

const READERS = [agentTraffic, crawlerUserAgents, aiRobotsTxt, wellKnownBots];

interface FeedDocument {
  format: FeedFormat;
  /** When its publisher signed it, in milliseconds; null if it is not signed. */
  signedAt: number | null;
  /** Read one by one, as they are asked for; once. */
  entries: Iterable<FeedEntry>;
}

/**
 * Reads what a feed is made of.
 *
 * @param publicKey in PEM: only what was signed with it is taken. Null takes only what is not signed.
 * @throws {FeedError} where the document as a whole can't be taken.
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
