import { ComponentSchemas } from '../component-schemas.js';
import { IP_ADDRESS } from '../ip-address.js';
import { CONSUMER_GROUPS, TOPIC_SETTINGS, TOPICS } from '../topics.js';
import {
  BINDING_VERSION,
  type AsyncApiDocument,
  type DocumentSchema,
  type EventChannel,
  type EventMessage,
  type EventOperation,
} from './document.js';
import { auditMessage, changedMessage, deadLetterMessage, enrichedMessage, receivedMessage } from './messages.js';

export type { AsyncApiDocument, DocumentSchema, EventChannel, EventMessage } from './document.js';
export { EXAMPLE_VISIT } from './example.js';

type Name = keyof typeof TOPICS;

const MESSAGES: Record<Name, EventMessage> = {
  visitsReceived: receivedMessage,
  visitsEnriched: enrichedMessage,
  visitsChanged: changedMessage,
  visitsDeadLetter: deadLetterMessage,
  audit: auditMessage,
};

const CHANNEL_TEXTS: Record<Name, Pick<EventChannel, 'title' | 'summary' | 'description'>> = {
  visitsReceived: {
    title: 'Received visits',
    summary: 'Visits sent from the gateway to enrichment. Internal use only.',
    description:
      'Messages are delivered at least once. Duplicates have the same batch ID, so their visits have the same IDs.',
  },
  visitsEnriched: {
    title: 'Enriched visits',
    summary: 'All visits, with their identification. Subscribe to this topic to receive visits.',
    description: [
      'Messages are delivered at least once. Duplicates have the same `id` (and `ce_id`) but can have a different ' +
        'identification. Use the first message in the partition and ignore duplicates.',
      'All visits by a client (one address in one project) share a key, and therefore a partition, so a single member ' +
        'of your consumer group receives all of them. Visits from one request arrive in the order they were posted. ' +
        'Across requests and duplicates, sort by `occurred_at` and then `id`.',
      'Within v1, only optional fields, headers and enum values are added. Ignore any that you do not recognize. ' +
        'Breaking changes are published to a new topic.',
    ].join('\n\n'),
  },
  visitsChanged: {
    title: 'Changed visits',
    summary: 'Visits that were re-identified or erased after publication. Subscribe to this topic if you store visits.',
    description: [
      'Messages are delivered at least once. Duplicates have the same `id` (and `ce_id`). Changes to a visit share a key, so they arrive in order.',
      'A change overrides the visit in `visits.enriched.v1`, even if you read the change first.',
      'No message is sent for visits deleted at the end of their retention period.',
    ].join('\n\n'),
  },
  visitsDeadLetter: {
    title: 'Dead letters',
    summary: 'Messages that could not be processed. List and replay them with `agent-traffic dead-letters`.',
    description: 'Messages are delivered at least once. Duplicates have the same `dead_letter_id`.',
  },
  audit: {
    title: 'Audit log',
    summary: 'Audit log entries for other services, such as a SIEM.',
    description:
      'Messages are delivered at least once. Duplicates have the same `id` (and `ce_id`). Entries arrive approximately in order. For ' +
      'the exact order, sort by `occurred_at` and then `id`. If an entry exceeds the maximum message size, its values ' +
      'over 16 KiB are replaced with `[too large]`. The database contains the full entries and retains them longer.',
  },
};

const PARTICIPANTS: Record<Name, { senders: string[]; group: keyof typeof CONSUMER_GROUPS | null }> = {
  visitsReceived: { senders: ['gateway'], group: 'enrichment' },
  visitsEnriched: { senders: ['enrichment'], group: 'ingest' },
  visitsChanged: { senders: ['console'], group: null },
  visitsDeadLetter: { senders: ['gateway', 'enrichment', 'ingest'], group: 'ingest' },
  audit: { senders: ['console'], group: null },
};

const DESCRIPTION = [
  'Agent Traffic topics on Apache Kafka. In standalone mode, which does not use Kafka, these topics do not exist. ' +
    'Use the live stream of the console API instead.',
  'Your services can read `visits.enriched.v1`, `visits.changed.v1` and `audit.v1`. Use a separate consumer group for ' +
    'each service. The `enrichment` and `ingest` groups are reserved. The partitions, replicas and retention shown are ' +
    'defaults, and your instance can use other values.',
].join('\n\n');

/** Returns the AsyncAPI 3.0 document that describes the Kafka topics. */
export function asyncApiDocument(): AsyncApiDocument {
  const components = new ComponentSchemas();
  const document: AsyncApiDocument = {
    asyncapi: '3.0.0',
    info: {
      title: 'Agent Traffic topics',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: '{broker}',
        protocol: 'kafka',
        description: 'Broker listed in KAFKA_BROKERS',
        variables: { broker: { default: 'localhost:9092', description: 'Host and port of a broker' } },
      },
    },
    channels: {},
    operations: {},
    components: { messages: {}, schemas: components.schemas as Record<string, DocumentSchema> },
  };
  for (const name of Object.keys(TOPICS) as Name[]) {
    const message = MESSAGES[name];
    const payload = components.replaceWithRefs(message.payload) as DocumentSchema;
    document.components.messages[name] = { ...message, payload };
    document.channels[name] = createChannel(name);
    Object.assign(document.operations, createOperations(name));
  }
  return removeCustomFormats(document) as AsyncApiDocument;
}

function createChannel(name: Name): EventChannel {
  const { maxMessageBytes, retentionDays } = TOPIC_SETTINGS[TOPICS[name]];
  return {
    address: TOPICS[name],
    ...CHANNEL_TEXTS[name],
    messages: { message: { $ref: `#/components/messages/${name}` } },
    bindings: {
      kafka: {
        partitions: 12,
        replicas: 3,
        topicConfiguration: {
          'cleanup.policy': ['delete'],
          'retention.ms': retentionDays * 86_400_000,
          'max.message.bytes': maxMessageBytes,
        },
        bindingVersion: BINDING_VERSION,
      },
    },
  };
}

function createOperations(name: Name): Record<string, EventOperation> {
  const operation = (action: EventOperation['action'], summary: string, groupId?: object): EventOperation => ({
    action,
    channel: { $ref: `#/channels/${name}` },
    summary,
    messages: [{ $ref: `#/channels/${name}/messages/message` }],
    ...(groupId && { bindings: { kafka: { groupId, bindingVersion: BINDING_VERSION } } }),
  });
  const { senders, group } = PARTICIPANTS[name];
  const result: Record<string, EventOperation> = {};
  for (const sender of senders) result[`${sender}.${name}.send`] = operation('send', `Sent by ${sender}`);
  if (group !== null) {
    const groupId = { type: 'string', enum: [CONSUMER_GROUPS[group]] };
    result[`${group}.${name}.receive`] = operation('receive', `Received by ${group}`, groupId);
  }
  if (name === 'visitsEnriched' || name === 'visitsChanged' || name === 'audit') {
    const groupId = { type: 'string', not: { enum: Object.values(CONSUMER_GROUPS) } };
    result[`consumer.${name}.receive`] = operation('receive', 'Received by other services', groupId);
  }
  return result;
}

const CUSTOM_FORMATS: ReadonlySet<unknown> = new Set(['timestamp', IP_ADDRESS]);

/** Removes custom formats, which strict schema parsers reject. */
function removeCustomFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(removeCustomFormats);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === 'format' && CUSTOM_FORMATS.has(value)))
      .map(([name, value]) => [name, removeCustomFormats(value)]),
  );
}
