import type { DrainReceipt, FirehoseReceipt } from '#libs/contracts';
import { drainSender, type DrainSource } from '#libs/drains';
import type { InstanceClient } from '../client.js';
import { plural } from '../terminal-text.js';
import { sampleRequests, type SampleOptions } from './drain-samples.js';

interface DrainTest {
  name: string;
  receipt: DrainReceipt | FirehoseReceipt;
}

/**
 * Sends the sample requests of a source in order, with the credentials that the source would use.
 *
 * @throws HttpError if the instance rejects a request.
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
