import { isSignedAgents, verifySignedAgents } from '#libs/catalog';
import { findExceededLimit, jsonLimits, MAX_AGENTS, type FeedFormat } from '#libs/contracts';
import { FeedError } from './feed-error.js';
import { agentTraffic } from './formats/agent-traffic.js';
import { aiRobotsTxt } from './formats/ai-robots-txt.js';
import { crawlerUserAgents } from './formats/crawler-user-agents.js';
import type { FeedEntry } from './formats/format-reader.js';
import { wellKnownBots } from './formats/well-known-bots.js';

export const MAX_FEED_BYTES = 5_000_000;
/** Maximum nesting depth of a document. Public lists use up to 6 levels. */
const MAX_NESTING_DEPTH = 20;

const FORMAT_READERS = [agentTraffic, crawlerUserAgents, aiRobotsTxt, wellKnownBots];

interface FeedDocument {
  format: FeedFormat;
  /** Signing time in milliseconds since the epoch, or null if the document isn't signed. */
  signedAt: number | null;
  /** Entries, which are parsed while iterating. Can only be iterated once. */
  entries: Iterable<FeedEntry>;
}

/**
 * Parses a feed document in any supported format.
 *
 * @param publicKey PEM key that must verify the signature. If null, the document must be unsigned.
 * @throws {FeedError} if the document as a whole is unusable. Faults in single entries are part of the result.
 */
export function readFeedDocument(bytes: Buffer, publicKey: string | null): FeedDocument {
  const envelope = parse(bytes);
  const isSigned = isSignedAgents(envelope);
  if (isSigned && publicKey === null)
    throw new FeedError('signature', 'The document is signed, but the feed has no public key.');
  if (!isSigned && publicKey !== null)
    throw new FeedError('signature', 'The document is not signed, but the feed has a public key.');
  const { payload, signedAt } = isSigned ? verifySignature(envelope, publicKey!) : { payload: null, signedAt: null };
  const document = payload === null ? envelope : parse(payload);
  const reader = FORMAT_READERS.find((candidate) => candidate.recognizes(document));
  if (reader === undefined) throw new FeedError('unknown_format', 'The document has no agents in a supported format.');
  const { length } = Object.keys(document as object);
  if (length > MAX_AGENTS) {
    const [actual, maximum] = [length, MAX_AGENTS].map((number) => number.toLocaleString('en'));
    throw new FeedError('too_many_agents', `The document has ${actual} agents, but the maximum is ${maximum}.`);
  }
  return { format: reader.format, signedAt, entries: reader.entries(document) };
}

function verifySignature(...signed: Parameters<typeof verifySignedAgents>): ReturnType<typeof verifySignedAgents> {
  try {
    return verifySignedAgents(...signed);
  } catch (error) {
    throw new FeedError('signature', `The signature could not be verified: ${(error as Error).message}.`);
  }
}

function parse(bytes: Buffer): unknown {
  if (bytes.length > MAX_FEED_BYTES) {
    throw new FeedError('too_large', `The document is larger than ${MAX_FEED_BYTES.toLocaleString('en')} bytes.`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FeedError('unreadable', 'The document is not UTF-8.');
  }
  const exceeded = findExceededLimit(text, { ...jsonLimits(MAX_FEED_BYTES), depth: MAX_NESTING_DEPTH });
  if (exceeded?.limit === 'depth')
    throw new FeedError('unreadable', `The document is nested more than ${MAX_NESTING_DEPTH} levels deep.`);
  if (exceeded !== null) throw new FeedError('too_large', 'The document contains too many values.');
  try {
    return JSON.parse(text);
  } catch {
    throw new FeedError('unreadable', 'The document is not valid JSON.');
  }
}
