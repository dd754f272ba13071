/** Arguments to kafkajs's grouping function for one topic. */
interface GroupingArguments<Message, Metadata> {
  topic: string;
  partitionMetadata: Metadata[];
  messages: readonly Message[];
  partitioner(given: { topic: string; partitionMetadata: Metadata[]; message: Message }): number;
}

/**
 * Groups messages by partition. Replaces kafkajs's version, which copies a partition's group for each added message.
 */
export function groupMessages<Message, Metadata>({
  topic,
  partitionMetadata,
  messages,
  partitioner,
}: GroupingArguments<Message, Metadata>): Record<number, Message[]> {
  const groups: Record<number, Message[]> = {};
  if (partitionMetadata.length === 0) return groups;
  for (const message of messages) (groups[partitioner({ topic, partitionMetadata, message })] ??= []).push(message);
  return groups;
}
