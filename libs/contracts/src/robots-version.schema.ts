import { Type, type Static } from 'typebox';
import { SingleLine, StoredText } from './text.schema.js';

/** Versions of a host that are kept: the newest ones. */
export const MAX_ROBOTS_VERSIONS = 200;
/** Characters of a text that is recorded; crawlers read 500 KiB of it. */
export const MAX_RECORDED_ROBOTS_LENGTH = 1_000_000;

const Id = Type.String({ format: 'uuid' });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const version = {
  id: Id,
  host: Type.String({ description: 'The host that served it', examples: ['shop.example'] }),
  served_from: Time('When it was first seen, or from when on it was recorded'),
  served_until: nullable<string>('string', { format: 'date-time', description: 'Null: it still is' }),
  status: nullable<number>('integer', {
    description:
      'Status of the answer: 200 is a file, 4xx is none, and 5xx disallows everything. Null: no answer, as 5xx',
  }),
  is_recorded: Type.Boolean({ description: 'Whether it was recorded, rather than fetched' }),
  size: nullable<number>('integer', { minimum: 0, description: 'Bytes of the text; null where there is no file' }),
  is_cut: Type.Boolean({ description: 'Whether the file is longer than the 500 KiB that crawlers read' }),
  digest: nullable<string>('string', { description: 'SHA-256 of the file, as hex: the same for the same file' }),
};

export const RobotsVersionSchema = Type.Object(version, {
  $id: 'RobotsVersion',
  description: 'What a host served as robots.txt, from when to when',
});

export const RobotsHostSchema = Type.Object(
  {
    host: version.host,
    checked_at: nullable<string>('string', {
      format: 'date-time',
      description: 'When it was last fetched; null: never',
    }),
    url: nullable<string>('string', { description: 'Where it was found in the end, after redirects' }),
    fault: nullable<string>('string', { description: 'What was wrong with the last fetch' }),
    version: Type.Unsafe<RobotsVersion | null>({
      anyOf: [RobotsVersionSchema, { type: 'null' }],
      description: 'What is in force; null where nothing is known',
    }),
  },
  { $id: 'RobotsHost', description: 'A host of a project, and what is known of its robots.txt' },
);

export const RobotsHostListSchema = Type.Object(
  { hosts: Type.Array(RobotsHostSchema, { description: "In the order of the project's settings" }) },
  { $id: 'RobotsHostList' },
);

/** Nothing to say. */
export const RobotsRefreshSchema = Type.Object({}, { $id: 'RobotsRefresh', additionalProperties: false });

export const RobotsVersionPageSchema = Type.Object(
  {
    versions: Type.Array(RobotsVersionSchema, { description: 'Newest first' }),
    next_cursor: nullable<string>('string', { description: 'For the page after; null at the end' }),
    hosts: RobotsHostListSchema.properties.hosts,
  },
  { $id: 'RobotsVersionPage' },
);

/** As libs/robots reads them. */
const RobotsSignalSchema = Type.Object(
  {
    kind: Type.Unsafe<'content-signal' | 'content-usage' | 'license' | 'sitemap' | 'crawl-delay'>({
      type: 'string',
      enum: ['content-signal', 'content-usage', 'license', 'sitemap', 'crawl-delay'],
    }),
    line: Type.Integer({ minimum: 1 }),
    text: Type.String({ description: 'The line without its comment' }),
    user_agents: Type.Array(Type.String(), { description: 'Of its group, ten at most; none: it belongs to no group' }),
    path: nullable<string>('string', { description: 'What the preferences are about; null: everything' }),
    preferences: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['ai-train'] }),
        value: Type.Unsafe<'yes' | 'no' | null>({
          type: ['string', 'null'],
          enum: ['yes', 'no', null],
          description: 'Null for what is neither',
        }),
      }),
      { description: 'Of Content-Signal and Content-Usage' },
    ),
    url: nullable<string>('string', { description: 'Of License and Sitemap; null where it is not one' }),
    seconds: nullable<number>('number', { description: 'Of Crawl-delay; null where it is not a number' }),
  },
  { $id: 'RobotsSignal', description: 'What a line says beside the rules' },
);

export const RobotsVersionWithTextSchema = Type.Object(
  {
    ...version,
    text: nullable<string>('string', { description: 'What crawlers read of it; null where there is no file' }),
    signals: Type.Array(RobotsSignalSchema, { description: 'In the order of the lines, 1,000 at most' }),
  },
  { $id: 'RobotsVersionWithText' },
);

export const NewRobotsVersionSchema = Type.Object(
  {
    host: Type.Optional(
      SingleLine({ minLength: 1, maxLength: 253, description: "One of the project's; the first one unless given" }),
    ),
    text: Type.Optional(
      StoredText({
        maxLength: MAX_RECORDED_ROBOTS_LENGTH,
        description: 'The file, with status 200. Only its first 500 KiB count',
      }),
    ),
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 599,
        description: 'What the host answered; 200 unless given, 4xx for no file, 5xx where it fails',
      }),
    ),
    served_from: Type.Optional(
      Type.String({ format: 'timestamp', maxLength: 50, description: 'From when on, ISO 8601; now unless given' }),
    ),
  },
  { $id: 'NewRobotsVersion', additionalProperties: false },
);

export type RobotsVersion = Static<typeof RobotsVersionSchema>;
export type RobotsHost = Static<typeof RobotsHostSchema>;
export type RobotsVersionPage = Static<typeof RobotsVersionPageSchema>;
export type RobotsVersionWithText = Static<typeof RobotsVersionWithTextSchema>;
export type NewRobotsVersion = Static<typeof NewRobotsVersionSchema>;
