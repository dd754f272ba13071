import { createRequire } from 'node:module';
import { groupMessages } from './group-messages.js';

const require = createRequire(import.meta.url);
const MODULE = 'kafkajs/src/producer/groupMessagesPerPartition';
// Another test in this process may have replaced it.
delete require.cache[require.resolve(MODULE)];
const theirs = require(MODULE) as typeof groupMessages;

it.each([0, 1, 3])('groups messages like kafkajs, for %s partitions', (partitions) => {
  const asked: unknown[] = [];
  const send = {
    topic: 'visits',
    partitionMetadata: Array.from({ length: partitions }, (_, partitionId) => ({ partitionId })),
    messages: Array.from({ length: 10 }, (_, number) => ({ number })),
    partitioner: (given: { message: { number: number } }) => {
      asked.push(given);
      return (given.message.number * 7) % partitions;
    },
  };
  const groups = groupMessages(send);
  const ours = asked.splice(0);
  expect(groups).toEqual(theirs(send));
  expect(ours).toEqual(asked);
  expect(Object.values(groups).flat()).toHaveLength(partitions === 0 ? 0 : 10);
});
