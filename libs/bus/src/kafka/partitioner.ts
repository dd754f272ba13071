import type { ICustomPartitioner, PartitionerArgs, PartitionMetadata } from 'kafkajs';

const SEED = 0x9747b28c;
const MULTIPLIER = 0x5bd1e995;

/** Message as sent by the publisher. Messages with the same `turn`, an arbitrary number, go to the same partition. */
interface MessageWithTurn {
  turn?: number | undefined;
  /** Chosen partition, which the partitioner sets. */
  partition?: number;
}

/**
 * Chooses partitions as Kafka's own clients do: by key (murmur2, `org.apache.kafka.common.utils.Utils`), or round-robin
 * for messages without a key.
 *
 * Replaces kafkajs's partitioner, whose 64-bit objects are slow. A message that is sent again uses the same partition
 * because brokers detect duplicates by partition.
 */
export const createPartitioner: ICustomPartitioner = () => {
  let turn = 0;
  const choose = (
    partitionMetadata: PartitionMetadata[],
    { key, turn: messageTurn }: PartitionerArgs['message'] & MessageWithTurn,
  ) => {
    if (messageTurn !== undefined) return selectReachable(partitionMetadata, messageTurn);
    if (key === null || key === undefined) {
      turn = (turn + 1) % partitionMetadata.length;
      return partitionMetadata[turn]!.partitionId;
    }
    const bytes = typeof key === 'string' ? Buffer.from(key) : key;
    return (murmur2(bytes) & 0x7fffffff) % partitionMetadata.length;
  };
  return ({ partitionMetadata, message }) => (message.partition ??= choose(partitionMetadata, message));
};

/** Returns the partition for a turn. Skips partitions without a leader unless none has one. */
function selectReachable(partitions: PartitionMetadata[], turn: number): number {
  const partitionsWithLeader = partitions.filter(({ leader }) => leader >= 0);
  const candidates = partitionsWithLeader.length > 0 ? partitionsWithLeader : partitions;
  return candidates[turn % candidates.length]!.partitionId;
}

/** Returns the 32-bit MurmurHash2 as a signed integer. */
function murmur2(bytes: Uint8Array): number {
  const { length } = bytes;
  const words = length >> 2;
  let hash = SEED ^ length;
  for (let word = 0; word < words; word += 1) {
    const at = word << 2;
    let value = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    value = Math.imul(value, MULTIPLIER);
    value = Math.imul(value ^ (value >>> 24), MULTIPLIER);
    hash = Math.imul(hash, MULTIPLIER) ^ value;
  }
  const remainingBytes = length & 3;
  if (remainingBytes > 0) {
    const at = words << 2;
    for (let index = remainingBytes - 1; index >= 0; index -= 1) hash ^= bytes[at + index]! << (index << 3);
    hash = Math.imul(hash, MULTIPLIER);
  }
  hash = Math.imul(hash ^ (hash >>> 13), MULTIPLIER);
  return hash ^ (hash >>> 15);
}
