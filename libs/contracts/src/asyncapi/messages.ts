import { Type } from 'typebox';
import { AuditEntrySchema, type AuditEntry } from '../audit.schema.js';
import { EnrichedVisitSchema } from '../enriched-visit.schema.js';
import { openEnum } from '../open-enum.js';
import {
  AUDIT_EVENT_TYPE,
  AUDIT_HEADERS,
  CHANGED_EVENT_TYPE,
  CHANGED_HEADERS,
  DEAD_LETTER_HEADERS,
  DEAD_LETTER_REASONS,
  ENRICHED_EVENT_TYPE,
  ENRICHED_HEADERS,
  ORIGINAL_HEADER_PREFIX,
  RECEIVED_HEADERS,
  TOPICS,
} from '../topics.js';
import { VisitChangeSchema, type VisitChange } from '../visit-change.schema.js';
import { VISIT_LIMITS, VisitSchema } from '../visit.schema.js';
import { BINDING_VERSION, type DocumentSchema, type EventMessage } from './document.js';
import { EXAMPLE_BATCH, EXAMPLE_VISIT } from './example.js';

const text = (description: string, extra: DocumentSchema = {}): DocumentSchema => ({
  type: 'string',
  description,
  ...extra,
});
const uuid = (description: string): DocumentSchema => text(description, { format: 'uuid' });
const time = (description: string): DocumentSchema => text(`${description} (RFC 3339, UTC)`, { format: 'date-time' });
const keyBinding = (description: string, example: string) => ({
  kafka: { key: text(description, { examples: [example] }), bindingVersion: BINDING_VERSION },
});
const requiredHeaders = <Names extends Record<string, string>>(names: Names, optional: (keyof Names)[]): string[] =>
  Object.keys(names).flatMap((name) => (optional.includes(name) ? [] : [names[name]!]));
const TRACEPARENT = text('W3C Trace Context of the request that reported the visit');

const { id, projectId, traceparent } = EXAMPLE_BATCH;
const { received_at: receivedAt, occurred_at: occurredAt, visit, client_address: address } = EXAMPLE_VISIT;

// Fails to compile unless every header has a description.
type Described<Names extends Record<string, string>> = Record<Names[keyof Names], DocumentSchema>;

const receivedHeaders: Described<typeof RECEIVED_HEADERS> = {
  [RECEIVED_HEADERS.batchId]: uuid('Batch ID (UUIDv7). Each visit ID is the batch ID plus the index of the visit.'),
  [RECEIVED_HEADERS.projectId]: uuid('ID of the project that the access token belongs to'),
  [RECEIVED_HEADERS.receivedAt]: time('Time at which the request was received. Matches the timestamp in the batch ID.'),
  [RECEIVED_HEADERS.indices]: text(
    'Indexes of the visits in the posted array. Absent if they are consecutive, starting at 0. Present if items were rejected ' +
      'or the request was split into several messages.',
    { examples: ['0-4,6,8-99'] },
  ),
  [RECEIVED_HEADERS.visitIds]: text(
    'Comma-separated visit IDs (UUIDv7). Absent if they can be derived from the batch ID and the indexes. Present for ' +
      'visits from a drain or an imported log, because these visits can appear again in another batch.',
    { examples: [EXAMPLE_VISIT.id] },
  ),
  [RECEIVED_HEADERS.traceparent]: TRACEPARENT,
};

export const receivedMessage: EventMessage = {
  name: 'visits.received',
  title: 'Received visits',
  summary: 'Visits from one request, exactly as posted except for redacted headers.',
  contentType: 'application/json',
  headers: {
    type: 'object',
    properties: receivedHeaders,
    required: [RECEIVED_HEADERS.batchId, RECEIVED_HEADERS.projectId],
  },
  payload: Type.Union([VisitSchema, Type.Array(VisitSchema, { maxItems: VISIT_LIMITS.items })]) as DocumentSchema,
  bindings: keyBinding('Batch ID', id),
  examples: [
    {
      name: 'onePage',
      headers: { batch_id: id, project_id: projectId, received_at: receivedAt, traceparent },
      payload: [visit],
    },
  ],
};

const enrichedHeaders: Described<typeof ENRICHED_HEADERS> = {
  [ENRICHED_HEADERS.specVersion]: text('CloudEvents version', { const: '1.0' }),
  [ENRICHED_HEADERS.type]: text('Event type', { const: ENRICHED_EVENT_TYPE }),
  [ENRICHED_HEADERS.source]: text('Project that the visit belongs to: `/projects/` followed by the project ID'),
  [ENRICHED_HEADERS.id]: uuid('Visit ID. Matches `id` in the body and is the same in duplicates.'),
  [ENRICHED_HEADERS.time]: time('Time of the visit. Matches `occurred_at` in the body.'),
  [ENRICHED_HEADERS.contentType]: text('Media type of the body', { const: 'application/json' }),
  [ENRICHED_HEADERS.traceparent]: TRACEPARENT,
};

const enrichedExample: Record<string, string> = {
  ce_specversion: '1.0',
  ce_type: ENRICHED_EVENT_TYPE,
  ce_source: `/projects/${projectId}`,
  ce_id: EXAMPLE_VISIT.id,
  ce_time: occurredAt,
  'content-type': 'application/json',
  traceparent,
};

export const enrichedMessage: EventMessage = {
  name: ENRICHED_EVENT_TYPE,
  title: 'Enriched visit',
  summary:
    'Visit with its identification, sent as a CloudEvents 1.0 event in binary mode. The headers contain the attributes, and the body contains the visit.',
  contentType: 'application/json',
  headers: {
    type: 'object',
    properties: enrichedHeaders,
    required: requiredHeaders(ENRICHED_HEADERS, ['traceparent']),
  },
  payload: EnrichedVisitSchema as DocumentSchema,
  bindings: keyBinding(
    'Project ID and client address, separated by a colon, or the batch ID if the client address is unknown.',
    `${projectId}:${address}`,
  ),
  examples: [{ name: 'knownAgent', headers: enrichedExample, payload: EXAMPLE_VISIT }],
};

const changedHeaders: Described<typeof CHANGED_HEADERS> = {
  [CHANGED_HEADERS.specVersion]: text('CloudEvents version', { const: '1.0' }),
  [CHANGED_HEADERS.type]: text('Event type', { const: CHANGED_EVENT_TYPE }),
  [CHANGED_HEADERS.source]: text('Project that the visit belongs to: `/projects/` followed by the project ID'),
  [CHANGED_HEADERS.id]: uuid('Change ID. Matches `id` in the body and is the same in duplicates.'),
  [CHANGED_HEADERS.time]: time('Time of the change. Matches `changed_at` in the body.'),
  [CHANGED_HEADERS.contentType]: text('Media type of the body', { const: 'application/json' }),
};

const createChange = (changeId: string, change: Partial<VisitChange>): VisitChange => ({
  id: changeId,
  changed_at: '2026-11-22T09:30:00.000Z',
  change: 'erased',
  project_id: projectId,
  visit_id: EXAMPLE_VISIT.id,
  received_at: receivedAt,
  occurred_at: occurredAt,
  ...change,
});

const EXAMPLE_CHANGES: Record<string, VisitChange> = {
  reidentified: createChange('5f0c3a52-8a52-4f3e-9f0a-6c1de0b6a8a2', {
    change: 'reidentified',
    enriched_visit: {
      ...EXAMPLE_VISIT,
      identification: { ...EXAMPLE_VISIT.identification, result: 'verified', reason: null },
      reidentified: {
        at: '2026-11-22T09:30:00.000Z',
        earlier: { identification: EXAMPLE_VISIT.identification },
      },
    },
  }),
  erased: createChange('5f0c3a52-8a52-4f3e-9f0a-6c1de0b6a8a3', {}),
  projectRemoved: createChange('5f0c3a52-8a52-4f3e-9f0a-6c1de0b6a8a4', {
    change: 'project_removed',
    visit_id: null,
    received_at: null,
    occurred_at: null,
  }),
};

export const changedMessage: EventMessage = {
  name: CHANGED_EVENT_TYPE,
  title: 'Changed visit',
  summary:
    'Change to a visit, sent as a CloudEvents 1.0 event in binary mode. The headers contain the attributes, and the body contains the change.',
  contentType: 'application/json',
  headers: { type: 'object', properties: changedHeaders, required: Object.values(CHANGED_HEADERS) },
  payload: VisitChangeSchema as DocumentSchema,
  bindings: keyBinding('Visit ID, or project ID if the project was removed', EXAMPLE_VISIT.id),
  examples: Object.entries(EXAMPLE_CHANGES).map(([name, payload]) => ({
    name,
    headers: {
      ce_specversion: '1.0',
      ce_type: CHANGED_EVENT_TYPE,
      ce_source: `/projects/${projectId}`,
      ce_id: payload.id,
      ce_time: payload.changed_at,
      'content-type': 'application/json',
    },
    payload,
  })),
};

const auditHeaders: Described<typeof AUDIT_HEADERS> = {
  [AUDIT_HEADERS.specVersion]: text('CloudEvents version', { const: '1.0' }),
  [AUDIT_HEADERS.type]: text('Event type', { const: AUDIT_EVENT_TYPE }),
  [AUDIT_HEADERS.source]: text(
    'Project that the entry belongs to: `/projects/` followed by the project ID, or `/` for instance-wide entries',
  ),
  [AUDIT_HEADERS.id]: uuid('Entry ID. Matches `id` in the body and is the same in duplicates.'),
  [AUDIT_HEADERS.time]: time('Time of the action. Matches `occurred_at` in the body.'),
  [AUDIT_HEADERS.contentType]: text('Media type of the body', { const: 'application/json' }),
};

const EXAMPLE_ENTRY: AuditEntry = {
  id: '5f0c3a52-8a52-4f3e-9f0a-6c1de0b6a8a1',
  occurred_at: occurredAt,
  project_id: projectId,
  actor: {
    type: 'person',
    id: '019a8f52-7c11-7d3e-a2c4-5b8f0e6d1a94',
    name: 'ada@example.com',
    address: '203.0.113.7',
    via: 'dashboard',
    request_id: '4bf92f35-77b3-4da6-a3ce-929d0e0e4736',
  },
  operation: 'changeProject',
  change: 'changed',
  subject: { type: 'project', id: projectId, name: 'My shop' },
  before: { name: 'My site' },
  after: { name: 'My shop' },
};

export const auditMessage: EventMessage = {
  name: AUDIT_EVENT_TYPE,
  title: 'Audit log entry',
  summary:
    'Audit log entry, sent as a CloudEvents 1.0 event in binary mode. The headers contain the attributes, and the body contains the entry.',
  contentType: 'application/json',
  headers: { type: 'object', properties: auditHeaders, required: Object.values(AUDIT_HEADERS) },
  payload: AuditEntrySchema as DocumentSchema,
  bindings: keyBinding('Project ID, or `instance` for entries without a project', projectId),
  examples: [
    {
      name: 'renamedProject',
      headers: {
        ce_specversion: '1.0',
        ce_type: AUDIT_EVENT_TYPE,
        ce_source: `/projects/${projectId}`,
        ce_id: EXAMPLE_ENTRY.id,
        ce_time: occurredAt,
        'content-type': 'application/json',
      },
      payload: EXAMPLE_ENTRY,
    },
  ],
};

const deadLetterHeaders: Described<typeof DEAD_LETTER_HEADERS> = {
  [DEAD_LETTER_HEADERS.id]: uuid('Dead letter ID. It stays the same if the same failure happens again.'),
  [DEAD_LETTER_HEADERS.projectId]: uuid('Project ID. Absent if unknown.'),
  [DEAD_LETTER_HEADERS.reason]: openEnum<string>(
    DEAD_LETTER_REASONS,
    'Reason the message could not be processed',
  ) as DocumentSchema,
  [DEAD_LETTER_HEADERS.detail]: text('Human-readable reason'),
  [DEAD_LETTER_HEADERS.step]: text('Service and step in which processing failed'),
  [DEAD_LETTER_HEADERS.failedAt]: time('Time of the failure'),
  [DEAD_LETTER_HEADERS.topic]: text('Topic of the original message, or the topic it was meant for'),
  [DEAD_LETTER_HEADERS.partition]: text(
    'Partition of the original message. Absent if it was never published to a topic.',
  ),
  [DEAD_LETTER_HEADERS.offset]: text('Offset of the original message. Absent if it was never published to a topic.'),
};

export const deadLetterMessage: EventMessage = {
  name: 'visits.dead-letter',
  title: 'Dead letter',
  summary: 'Message that could not be processed, with its key, bytes, headers and the reason for the failure.',
  contentType: 'application/octet-stream',
  headers: {
    type: 'object',
    properties: deadLetterHeaders,
    patternProperties: {
      [`^${ORIGINAL_HEADER_PREFIX}`]: text(
        `Headers of the original message, prefixed with \`${ORIGINAL_HEADER_PREFIX}\``,
      ),
    },
    required: requiredHeaders(DEAD_LETTER_HEADERS, ['projectId', 'partition', 'offset']),
  },
  payload: {
    type: 'string',
    format: 'binary',
    description: "Bytes of the original message, which aren't necessarily valid JSON",
  },
  bindings: keyBinding('Key of the original message', id),
  examples: [
    {
      name: 'noVisit',
      headers: {
        dead_letter_id: '8d1f5b0e-6f0c-5c0a-9c8e-0e4c1f6f2b11',
        dead_letter_project_id: projectId,
        dead_letter_reason: 'invalid_visit',
        dead_letter_detail: '/request_path is required',
        dead_letter_step: 'gateway:validate',
        dead_letter_failed_at: receivedAt,
        dead_letter_topic: TOPICS.visitsReceived,
        original_batch_id: id,
        original_project_id: projectId,
        original_received_at: receivedAt,
        original_indices: '1',
        original_traceparent: traceparent,
      },
      payload: '{"request_method":"GET","request_headers":{}}',
    },
  ],
};
