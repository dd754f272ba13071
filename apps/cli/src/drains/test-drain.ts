import type { DrainReceipt, FirehoseReceipt } from '#libs/contracts';
import { getDrainSender, type DrainSource } from '#libs/drains';
import type { InstanceClient } from '../client.js';
import { plural } from '../terminal-text.js';
import { sampleRequests, type SampleOptions } from './drain-samples.js';

interface DrainTest {
  name: string;
  receipt: DrainReceipt | FirehoseReceipt;
}

/**
 * Sends a source's sample requests in order, with the credentials that the source would use.
 *
 * @throws {HttpError} if the instance rejects a request.
 */
export async function testDrain(
  client: InstanceClient,
  source: DrainSource,
  options: SampleOptions,
): Promise<DrainTest[]> {
  const tests: DrainTest[] = [];
  for (const { name, query, headers, body } of await sampleRequests(getDrainSender(source), options)) {
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

export function formatDrainTest({ name, receipt }: DrainTest): string {
  if ('requestId' in receipt)
    return `Accepted: ${name}. Responses to Firehose don't include line counts. To see them: agent-traffic drains list`;
  if (receipt.lines === 0) return `Accepted: ${name}. The source is connected.`;
  const outcomes = [
    [receipt.visits, 'recorded'],
    [receipt.static_files, 'ignored (static files)'],
    [receipt.left_out, 'ignored'],
    [receipt.unreadable, 'unreadable'],
  ] as const;
  const counts = outcomes.filter(([lines]) => lines > 0).map(([lines, what]) => `${lines} ${what}`);
  return `Accepted: ${name}. Of ${plural(receipt.lines, 'line')}: ${counts.join(', ')}.`;
}
