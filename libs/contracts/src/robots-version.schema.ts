import { Type, type Static } from 'typebox';
import { SingleLine, StoredText } from './text.schema.js';

/** Maximum number of versions kept per host, newest first. */
export const MAX_ROBOTS_VERSIONS = 200;
/** Maximum length of a recorded text in characters. Crawlers read the first 500 KiB. */
export const MAX_RECORDED_ROBOTS_LENGTH = 1_000_000;

const Id = Type.String({ format: 'uuid' });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const version = {
  id: Id,
  host: Type.String({ description: 'Host name', examples: ['shop.example'] }),
  served_from: Time('Time when the version was first seen, or its recorded start'),
  served_until: nullable<string>('string', {
    format: 'date-time',
    description: 'End of the version, or null if it is still in force',
  }),
  status: nullable<number>('integer', {
    description:
      'Response status. 200: a file. 4xx: no file. 5xx: everything is disallowed. Null: no response, treated like 5xx.',
  }),
  is_recorded: Type.Boolean({ description: 'Whether the version was recorded through the API instead of fetched' }),
  size: nullable<number>('integer', {
    minimum: 0,
    description: 'Size of the text in bytes, or null if there is no file',
  }),
  is_cut: Type.Boolean({ description: 'Whether the file exceeds the 500 KiB that crawlers read' }),
  digest: nullable<string>('string', { description: 'SHA-256 hash of the file, in hex' }),
};

export const RobotsVersionSchema = Type.Object(version, {
  $id: 'RobotsVersion',
  description: 'robots.txt of a host, and the period in which it was served',
});

export const RobotsHostSchema = Type.Object(
  {
    host: version.host,
    checked_at: nullable<string>('string', {
      format: 'date-time',
      description: 'Time of the last fetch, or null if never fetched',
    }),
    url: nullable<string>('string', { description: 'Final URL after redirects' }),
    fault: nullable<string>('string', { description: 'Error of the last fetch' }),
    version: Type.Unsafe<RobotsVersion | null>({
      anyOf: [RobotsVersionSchema, { type: 'null' }],
      description: 'Version in force, or null if unknown',
    }),
  },
  { $id: 'RobotsHost', description: 'Host of a project and the state of its robots.txt' },
);

export const RobotsHostListSchema = Type.Object(
  { hosts: Type.Array(RobotsHostSchema, { description: "In the order of the project's settings" }) },
  { $id: 'RobotsHostList' },
);

export const RobotsRefreshSchema = Type.Object({}, { $id: 'RobotsRefresh', additionalProperties: false });

export const RobotsVersionPageSchema = Type.Object(
  {
    versions: Type.Array(RobotsVersionSchema, { description: 'Newest first' }),
    next_cursor: nullable<string>('string', { description: 'Cursor of the next page, or null at the end' }),
    hosts: RobotsHostListSchema.properties.hosts,
  },
  { $id: 'RobotsVersionPage' },
);

/** Signal parsed by libs/robots. */
const RobotsSignalSchema = Type.Object(
  {
    kind: Type.Unsafe<'content-signal' | 'content-usage' | 'license' | 'sitemap' | 'crawl-delay'>({
      type: 'string',
      enum: ['content-signal', 'content-usage', 'license', 'sitemap', 'crawl-delay'],
    }),
    line: Type.Integer({ minimum: 1 }),
    text: Type.String({ description: 'Line without its comment' }),
    user_agents: Type.Array(Type.String(), {
      description: 'User agents of the group, up to ten. Empty if the line belongs to no group.',
    }),
    path: nullable<string>('string', { description: 'Path that the preferences apply to, or null for everything' }),
    preferences: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['ai-train'] }),
        value: Type.Unsafe<'yes' | 'no' | null>({
          type: ['string', 'null'],
          enum: ['yes', 'no', null],
          description: 'Null for any other value',
        }),
      }),
      { description: 'Preferences from a `Content-Signal` or `Content-Usage` line' },
    ),
    url: nullable<string>('string', {
      description: "URL from a `License` or `Sitemap` line, or null if it isn't a URL",
    }),
    seconds: nullable<number>('number', {
      description: "Number from a `Crawl-delay` line, or null if it isn't a number",
    }),
  },
  { $id: 'RobotsSignal', description: 'Line that is not a rule' },
);

export const RobotsVersionWithTextSchema = Type.Object(
  {
    ...version,
    text: nullable<string>('string', { description: 'Text as read by crawlers, or null if there is no file' }),
    signals: Type.Array(RobotsSignalSchema, { description: 'In line order, up to 1,000' }),
  },
  { $id: 'RobotsVersionWithText' },
);

export const NewRobotsVersionSchema = Type.Object(
  {
    host: Type.Optional(
      SingleLine({ minLength: 1, maxLength: 253, description: "One of the project's hosts. Default: the first." }),
    ),
    text: Type.Optional(
      StoredText({
        maxLength: MAX_RECORDED_ROBOTS_LENGTH,
        description: 'File content, for status 200. Only the first 500 KiB are used.',
      }),
    ),
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 599,
        description: 'Response status: 200 for a file, 4xx for no file, 5xx for a server error. Default: 200.',
      }),
    ),
    served_from: Type.Optional(
      Type.String({
        format: 'timestamp',
        maxLength: 50,
        description: 'Start of the version, in ISO 8601. Default: now.',
      }),
    ),
  },
  { $id: 'NewRobotsVersion', additionalProperties: false },
);

export type RobotsVersion = Static<typeof RobotsVersionSchema>;
export type RobotsHost = Static<typeof RobotsHostSchema>;
export type RobotsVersionPage = Static<typeof RobotsVersionPageSchema>;
export type RobotsVersionWithText = Static<typeof RobotsVersionWithTextSchema>;
export type NewRobotsVersion = Static<typeof NewRobotsVersionSchema>;
