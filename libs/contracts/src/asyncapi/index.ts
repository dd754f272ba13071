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

const PROMISES: Record<Name, Pick<EventChannel, 'title' | 'summary' | 'description'>> = {
  visitsReceived: {
    title: 'Received visits',
    summary: 'From the gateway to enrichment. Not meant for anyone else.',
    description: 'At least once: a repeat has the same batch id, and so its visits have the same ids.',
  },
  visitsEnriched: {
    title: 'Enriched visits',
    summary: 'Every visit with who it was. This is the topic to subscribe to.',
    description: [
      'Every visit comes at least once. A repeat has the same `id` (and `ce_id`), and can have another identification. ' +
        'The first one of its partition counts: ignore repeats.',
      'The visits of a client (one address in one project) have one key and so one partition: one member of your ' +
        'group sees them all. Those of one request come in the order in which they were posted; across requests, and ' +
        'with repeats, `occurred_at` and then `id` tell the order.',
      'Within v1 only optional fields and headers are ever added: ignore those you do not know, and values of a word ' +
        'that you do not know. Anything else would be a new topic beside this one.',
    ].join('\n\n'),
  },
  visitsChanged: {
    title: 'Changed visits',
    summary:
      'Visits that were identified again or erased after they were published. Subscribe to it if you store visits.',
    description: [
      'At least once: a repeat has the same `id` (and `ce_id`). The changes of a visit have one key and come in order.',
      'A change overrides what `visits.enriched.v1` has of the visit, even if you read it earlier.',
      'Visits past the retention are deleted without a message.',
    ].join('\n\n'),
  },
  visitsDeadLetter: {
    title: 'Dead letters',
    summary: 'What could never be processed. For people: `agent-traffic dead-letters` lists and replays it.',
    description: 'At least once: a repeat has the same `dead_letter_id`.',
  },
  audit: {
    title: 'Audit log',
    summary: 'Who changed or saw what. For other services, such as a SIEM; none of ours reads it.',
    description:
      'At least once: a repeat has the same `id` (and `ce_id`). Entries come nearly in the order in which they occurred; ' +
      '`occurred_at` and then `id` tell it. In an entry that is larger than the topic takes, `[too large]` stands for ' +
      'values above 16 KiB. The log itself, which is kept in the database, and longer, has them all.',
  },
};

/** Who sends to a topic, and who receives. */
const PARTIES: Record<Name, { senders: string[]; group: keyof typeof CONSUMER_GROUPS | null }> = {
  visitsReceived: { senders: ['gateway'], group: 'enrichment' },
  visitsEnriched: { senders: ['enrichment'], group: 'ingest' },
  visitsChanged: { senders: ['console'], group: null },
  visitsDeadLetter: { senders: ['gateway', 'enrichment', 'ingest'], group: 'ingest' },
  audit: { senders: ['console'], group: null },
};

const DESCRIPTION = [
  'The topics of Agent Traffic, where its services run on Apache Kafka. In one process without Kafka there are none: ' +
    'follow the live stream of the console interface instead.',
  'Other services of yours read `visits.enriched.v1`, `visits.changed.v1` and `audit.v1`, each in a consumer group of its own; `enrichment` and `ingest` ' +
    'are taken. Partitions, copies and retention are the defaults; an operator can have made the topics otherwise.',
].join('\n\n');

/** AsyncAPI 3.0 of the bus, made from the contracts. */
export function asyncApiDocument(): AsyncApiDocument {
  const components = new ComponentSchemas();
  const document: AsyncApiDocument = {
    asyncapi: '3.0.0',
    info: {
      title: 'Agent Traffic: topics',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: {
        host: '{broker}',
        protocol: 'kafka',
        description: 'As the services have it in KAFKA_BROKERS',
        variables: { broker: { default: 'localhost:9092', description: 'host:port of a broker' } },
      },
    },
    channels: {},
    operations: {},
    components: { messages: {}, schemas: components.schemas as Record<string, DocumentSchema> },
  };
  for (const name of Object.keys(TOPICS) as Name[]) {
    const message = MESSAGES[name];
    const payload = components.referenced(message.payload) as DocumentSchema;
    document.components.messages[name] = { ...message, payload };
    document.channels[name] = channel(name);
    Object.assign(document.operations, operations(name));
  }
  return portable(document) as AsyncApiDocument;
}

function channel(name: Name): EventChannel {
  const { maxMessageBytes, retentionDays } = TOPIC_SETTINGS[TOPICS[name]];
  return {
    address: TOPICS[name],
    ...PROMISES[name],
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

function operations(name: Name): Record<string, EventOperation> {
  const operation = (action: EventOperation['action'], summary: string, groupId?: object): EventOperation => ({
    action,
    channel: { $ref: `#/channels/${name}` },
    summary,
    messages: [{ $ref: `#/channels/${name}/messages/message` }],
    ...(groupId && { bindings: { kafka: { groupId, bindingVersion: BINDING_VERSION } } }),
  });
  const { senders, group } = PARTIES[name];
  const made: Record<string, EventOperation> = {};
  for (const sender of senders) made[`${sender}.${name}.send`] = operation('send', `${sender} sends`);
  if (group !== null) {
    const own = { type: 'string', enum: [CONSUMER_GROUPS[group]] };
    made[`${group}.${name}.receive`] = operation('receive', `${group} receives`, own);
  }
  if (name === 'visitsEnriched' || name === 'visitsChanged' || name === 'audit') {
    const others = { type: 'string', not: { enum: Object.values(CONSUMER_GROUPS) } };
    made[`consumer.${name}.receive`] = operation('receive', 'other services receive', others);
  }
  return made;
}

const OWN_FORMATS: ReadonlySet<unknown> = new Set(['timestamp', IP_ADDRESS]);

/** Formats of our own are nobody else's: strict readers refuse a schema that has one. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => !(name === 'format' && OWN_FORMATS.has(value)))
      .map(([name, value]) => [name, portable(value)]),
  );
}
