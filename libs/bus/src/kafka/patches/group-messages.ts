/** What kafkajs hands on of a send to a topic. */
interface Send<Message, Metadata> {
  topic: string;
  partitionMetadata: Metadata[];
  messages: readonly Message[];
  partitioner(given: { topic: string; partitionMetadata: Metadata[]; message: Message }): number;
}

/**
 * Groups the messages of a send by their partitions. kafkajs copies the group of a partition for each message that comes
 * to it: 4 MB for 1,000 messages.
 *
 * Upstream: none known.
 */
export function groupMessages<Message, Metadata>({
  topic,
  partitionMetadata,
  messages,
  partitioner,
}: Send<Message, Metadata>): Record<number, Message[]> {
  const groups: Record<number, Message[]> = {};
  if (partitionMetadata.length === 0) return groups;
  for (const message of messages) (groups[partitioner({ topic, partitionMetadata, message })] ??= []).push(message);
  return groups;
}
