import { randomBytes } from 'node:crypto';
import type { Message, PartitionerArgs } from 'kafkajs';
import { loadKafkajs } from './kafkajs.js';
import { createPartitioner } from './partitioner.js';

const partitionMetadata = Array.from({ length: 12 }, (_, partitionId) => ({
  partitionId,
  partitionErrorCode: 0,
  leader: 1,
  replicas: [1],
  isr: [1],
}));
const createArgs = (key: Message['key']): PartitionerArgs => ({
  topic: 't',
  partitionMetadata,
  message: { value: '', key: key ?? null },
});

it('partitioner chooses the same partitions as kafkajs', () => {
  const choosePartition = createPartitioner();
  const chooseWithKafkajs = loadKafkajs().Partitioners.DefaultPartitioner();
  const keys = ['', 'a', 'ab', 'abc', 'abcd', '01a1fd4d-b4d6-7529-a4fa-256ec09bb85d:203.0.113.7', 'ä€😀'];
  for (let length = 0; length < 300; length += 1) keys.push(randomBytes(length).toString('latin1'));
  for (const key of keys)
    expect([key, choosePartition(createArgs(key))]).toEqual([key, chooseWithKafkajs(createArgs(key))]);
});

it('partitioner distributes messages without a key across all partitions', () => {
  const choosePartition = createPartitioner();
  const partitions = Array.from({ length: 120 }, () => choosePartition(createArgs(null)));
  expect(new Set(partitions).size).toBe(12);
});

it('partitioner chooses the same partition when a message is resent', () => {
  const choosePartition = createPartitioner();
  for (const round of [undefined, 3]) {
    const args = { ...createArgs(null), message: Object.assign({ key: null, value: '' }, { turn: round }) };
    const first = choosePartition(args);
    const metadataWithoutLeader = partitionMetadata.map((item) =>
      item.partitionId === first ? { ...item, leader: -1 } : item,
    );
    expect([choosePartition(args), choosePartition({ ...args, partitionMetadata: metadataWithoutLeader })]).toEqual([
      first,
      first,
    ]);
  }
});

it('partitioner sends all messages from the same turn to one partition that has a leader', () => {
  const choosePartition = createPartitioner();
  const partiallyLeaderlessMetadata = partitionMetadata.map((item) => ({
    ...item,
    leader: item.partitionId % 3 === 0 ? -1 : 1,
  }));
  const partitions = Array.from({ length: 16 }, (_, round) => {
    const chosenPartitions = ['a', 'b', 'c'].map((key) =>
      choosePartition({
        topic: 't',
        partitionMetadata: partiallyLeaderlessMetadata,
        message: Object.assign({ key, value: '' }, { turn: round }),
      }),
    );
    expect(new Set(chosenPartitions).size).toBe(1);
    return chosenPartitions[0]!;
  });
  expect(new Set(partitions)).toEqual(new Set([1, 2, 4, 5, 7, 8, 10, 11]));
});
