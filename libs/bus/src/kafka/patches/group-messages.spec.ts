import { createRequire } from 'node:module';
import { groupMessages } from './group-messages.js';

const require = createRequire(import.meta.url);
const GROUPING_MODULE = 'kafkajs/src/producer/groupMessagesPerPartition';
// Load the module again, because another test in this process may have replaced it.
delete require.cache[require.resolve(GROUPING_MODULE)];
const kafkajsGroupMessages = require(GROUPING_MODULE) as typeof groupMessages;

it.each([0, 1, 3])('groupMessages groups messages like kafkajs for %s partitions', (partitions) => {
  const partitionerCalls: unknown[] = [];
  const send = {
    topic: 'visits',
    partitionMetadata: Array.from({ length: partitions }, (_, partitionId) => ({ partitionId })),
    messages: Array.from({ length: 10 }, (_, number) => ({ number })),
    partitioner: (args: { message: { number: number } }) => {
      partitionerCalls.push(args);
      return (args.message.number * 7) % partitions;
    },
  };
  const groups = groupMessages(send);
  const ourCalls = partitionerCalls.splice(0);
  expect(groups).toEqual(kafkajsGroupMessages(send));
  expect(ourCalls).toEqual(partitionerCalls);
  expect(Object.values(groups).flat()).toHaveLength(partitions === 0 ? 0 : 10);
});
