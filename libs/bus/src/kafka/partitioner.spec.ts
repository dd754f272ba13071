import { randomBytes } from 'node:crypto';
import type { Message, PartitionerArgs } from 'kafkajs';
import { loadKafkajs } from './kafkajs.js';
import { partitioner } from './partitioner.js';

const partitionMetadata = Array.from({ length: 12 }, (_, partitionId) => ({
  partitionId,
  partitionErrorCode: 0,
  leader: 1,
  replicas: [1],
  isr: [1],
}));
const place = (key: Message['key']): PartitionerArgs => ({
  topic: 't',
  partitionMetadata,
  message: { value: '', key: key ?? null },
});

it('chooses the same partitions as kafkajs', () => {
  const ours = partitioner();
  const theirs = loadKafkajs().Partitioners.DefaultPartitioner();
  const keys = ['', 'a', 'ab', 'abc', 'abcd', '01a1fd4d-b4d6-7529-a4fa-256ec09bb85d:203.0.113.7', 'ä€😀'];
  for (let length = 0; length < 300; length += 1) keys.push(randomBytes(length).toString('latin1'));
  for (const key of keys) expect([key, ours(place(key))]).toEqual([key, theirs(place(key))]);
});

it('distributes messages without a key across all partitions', () => {
  const ours = partitioner();
  const partitions = Array.from({ length: 120 }, () => ours(place(null)));
  expect(new Set(partitions).size).toBe(12);
});

it('chooses the same partition when a message is resent', () => {
  const ours = partitioner();
  for (const turn of [undefined, 3]) {
    const sent = { ...place(null), message: Object.assign({ key: null, value: '' }, { turn }) };
    const first = ours(sent);
    const leaderless = partitionMetadata.map((item) => (item.partitionId === first ? { ...item, leader: -1 } : item));
    expect([ours(sent), ours({ ...sent, partitionMetadata: leaderless })]).toEqual([first, first]);
  }
});

it('sends all messages of a turn to one partition that has a leader', () => {
  const ours = partitioner();
  const metadata = partitionMetadata.map((item) => ({ ...item, leader: item.partitionId % 3 === 0 ? -1 : 1 }));
  const partitions = Array.from({ length: 16 }, (_, turn) => {
    const chosen = ['a', 'b', 'c'].map((key) =>
      ours({ topic: 't', partitionMetadata: metadata, message: Object.assign({ key, value: '' }, { turn }) }),
    );
    expect(new Set(chosen).size).toBe(1);
    return chosen[0]!;
  });
  expect(new Set(partitions)).toEqual(new Set([1, 2, 4, 5, 7, 8, 10, 11]));
});
