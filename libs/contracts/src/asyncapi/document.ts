import type { TopicName } from '../topics.js';

/** Subset of JSON Schema that the document uses. */
export interface DocumentSchema {
  $ref?: string | undefined;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, DocumentSchema>;
  patternProperties?: Record<string, DocumentSchema>;
  required?: string[];
  items?: DocumentSchema;
  anyOf?: DocumentSchema[];
  examples?: unknown[];
  maxItems?: number;
}

/** AsyncAPI message. Header values are UTF-8 text. */
export interface EventMessage {
  name: string;
  title: string;
  summary: string;
  contentType: string;
  headers: DocumentSchema;
  payload: DocumentSchema;
  bindings: { kafka: { key: DocumentSchema; bindingVersion: string } };
  examples: { name: string; headers: Record<string, string>; payload: unknown }[];
}

export interface EventChannel {
  address: TopicName;
  title: string;
  summary: string;
  /** Delivery guarantees in CommonMark. */
  description: string;
  messages: Record<string, { $ref: string }>;
  bindings: { kafka: Record<string, unknown> };
}

export interface EventOperation {
  action: 'send' | 'receive';
  channel: { $ref: string };
  summary: string;
  messages: { $ref: string }[];
  bindings?: { kafka: Record<string, unknown> };
}

/** Subset of an AsyncAPI 3.0 document. */
export interface AsyncApiDocument {
  asyncapi: string;
  info: { title: string; version: string; description: string; license: object };
  defaultContentType: string;
  servers: Record<string, object>;
  channels: Record<string, EventChannel>;
  operations: Record<string, EventOperation>;
  components: { messages: Record<string, EventMessage>; schemas: Record<string, DocumentSchema> };
}

/** Version of the AsyncAPI Kafka bindings. */
export const BINDING_VERSION = '0.5.0';
