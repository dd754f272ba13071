import type { DrainReceipt, FirehoseReceipt } from '#libs/contracts';
import { drainSender, type DrainSource } from '#libs/drains';
import type { InstanceClient } from '../client.js';
import { plural } from '../terminal-text.js';
import { sampleRequests, type SampleOptions } from './drain-samples.js';

/** How a sender's request was answered. */
interface DrainTest {
  /** What was sent, for people. */
  name: string;
  receipt: DrainReceipt | FirehoseReceipt;
}

/**
 * Sends what a source sends, in its order, with what it shows to be let in.
 *
 * @throws HttpError for what the instance refuses.
 */
export async function testDrain(
  client: InstanceClient,
  source: DrainSource,
  options: SampleOptions,
): Promise<DrainTest[]> {
  const tests: DrainTest[] = [];
  for (const { name, query, headers, body } of await sampleRequests(drainSender(source), options)) {
    const { text } = await client.send(`/drains/${source}${query}`, {
      method: 'POST',
      headers,
      body,
      credential: null,
    });
    tests.push({ name, receipt: JSON.parse(text) as DrainReceipt | FirehoseReceipt });
  }
  return tests;
}

/** What became of a request, in a line. */
export function drainTestText({ name, receipt }: DrainTest): string {
  if ('requestId' in receipt)
    return `Accepted: ${name}. Firehose is not told what became of its lines; see them with: agent-traffic drains list`;
  if (receipt.lines === 0) return `Accepted: ${name}. The source is connected.`;
  const outcomes = [
    [receipt.visits, 'recorded'],
    [receipt.static_files, 'left out as a request for a static file'],
    [receipt.left_out, 'left out'],
    [receipt.unreadable, 'not readable'],
  ] as const;
  const counts = outcomes.filter(([lines]) => lines > 0).map(([lines, what]) => `${lines} ${what}`);
  return `Accepted: ${name}. Of ${plural(receipt.lines, 'line')}: ${counts.join(', ')}.`;
}
