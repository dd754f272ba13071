import { Type, type Static } from 'typebox';
import { SingleLine, StoredText } from './text.schema.js';

/** Maximum number of versions retained per host. Older versions are deleted. */
export const MAX_ROBOTS_VERSIONS = 200;
/** Maximum length of a recorded text, in characters. Crawlers only read the first 500 KiB. */
export const MAX_RECORDED_ROBOTS_LENGTH = 1_000_000;

const Id = Type.String({ format: 'uuid' });
const Time = (description: string) => Type.String({ format: 'date-time', description });
const nullable = <T>(type: string, extra: object = {}) => Type.Unsafe<T | null>({ type: [type, 'null'], ...extra });

const version = {
  id: Id,
  host: Type.String({ description: 'Host name', examples: ['shop.example'] }),
  served_from: Time('Time at which the version was first seen, or the start time recorded for it'),
  served_until: nullable<string>('string', {
    format: 'date-time',
    description: 'Time until which the version was active. Null if it is still active.',
  }),
  status: nullable<number>('integer', {
    description:
      'Response status. 200 means a file exists, 4xx means no file exists, and 5xx means everything is disallowed. Null means there was no response, which is treated like 5xx.',
  }),
  is_recorded: Type.Boolean({ description: 'Whether the version was recorded through the API rather than fetched' }),
  size: nullable<number>('integer', {
    minimum: 0,
    description: 'Size of the text in bytes. Null if there is no file.',
  }),
  is_cut: Type.Boolean({ description: 'Whether the file is larger than the 500 KiB that crawlers read' }),
  digest: nullable<string>('string', {
    description: 'Hex-encoded SHA-256 hash of the file. Null if there is no file.',
  }),
};

export const RobotsVersionSchema = Type.Object(version, {
  $id: 'RobotsVersion',
  description: 'Version of robots.txt on a host, and the period in which it was served',
});

export const RobotsTxtHostSchema = Type.Object(
  {
    host: version.host,
    checked_at: nullable<string>('string', {
      format: 'date-time',
      description: 'Time of the last fetch. Null if robots.txt has never been fetched.',
    }),
    url: nullable<string>('string', { description: 'Final URL after redirects' }),
    fault: nullable<string>('string', { description: 'Error from the last fetch. Null if it succeeded.' }),
    version: Type.Unsafe<RobotsVersion | null>({
      anyOf: [RobotsVersionSchema, { type: 'null' }],
      description: 'Active version. Null if unknown.',
    }),
  },
  { $id: 'RobotsHost', description: 'Project host and the state of its robots.txt' },
);

export const RobotsHostListSchema = Type.Object(
  { hosts: Type.Array(RobotsTxtHostSchema, { description: "Hosts, in the same order as in the project's settings" }) },
  { $id: 'RobotsHostList' },
);

export const RobotsRefreshSchema = Type.Object({}, { $id: 'RobotsRefresh', additionalProperties: false });

export const RobotsVersionPageSchema = Type.Object(
  {
    versions: Type.Array(RobotsVersionSchema, { description: 'Versions, newest first' }),
    next_cursor: nullable<string>('string', { description: 'Cursor for the next page. Null on the last page.' }),
    hosts: RobotsHostListSchema.properties.hosts,
  },
  { $id: 'RobotsVersionPage' },
);

/** Signal as parsed by libs/robots. */
const RobotsSignalSchema = Type.Object(
  {
    kind: Type.Unsafe<'content-signal' | 'content-usage' | 'license' | 'sitemap' | 'crawl-delay'>({
      type: 'string',
      enum: ['content-signal', 'content-usage', 'license', 'sitemap', 'crawl-delay'],
    }),
    line: Type.Integer({ minimum: 1 }),
    text: Type.String({ description: 'Line, without its comment' }),
    user_agents: Type.Array(Type.String(), {
      description: "Up to ten user agents of the line's group. Empty if the line doesn't belong to a group.",
    }),
    path: nullable<string>('string', { description: 'Path that the preferences apply to. Null means all paths.' }),
    preferences: Type.Array(
      Type.Object({
        name: Type.String({ examples: ['ai-train'] }),
        value: Type.Unsafe<'yes' | 'no' | null>({
          type: ['string', 'null'],
          enum: ['yes', 'no', null],
          description: 'Value of the preference. Null if it is neither `yes` nor `no`.',
        }),
      }),
      { description: 'Preferences from a `Content-Signal` or `Content-Usage` line' },
    ),
    url: nullable<string>('string', {
      description: "URL from a `License` or `Sitemap` line. Null if it isn't a URL.",
    }),
    seconds: nullable<number>('number', {
      description: "Delay from a `Crawl-delay` line, in seconds. Null if it isn't a number.",
    }),
  },
  { $id: 'RobotsSignal', description: 'Line in robots.txt that is not a rule' },
);

export const RobotsVersionWithTextSchema = Type.Object(
  {
    ...version,
    text: nullable<string>('string', { description: 'Text as read by crawlers. Null if there is no file.' }),
    signals: Type.Array(RobotsSignalSchema, { description: 'Up to 1,000 signals, in line order' }),
  },
  { $id: 'RobotsVersionWithText' },
);

export const NewRobotsVersionSchema = Type.Object(
  {
    host: Type.Optional(
      SingleLine({
        minLength: 1,
        maxLength: 253,
        description: "One of the project's hosts. Defaults to the first one.",
      }),
    ),
    text: Type.Optional(
      StoredText({
        maxLength: MAX_RECORDED_ROBOTS_LENGTH,
        description: 'File content for status 200. Only the first 500 KiB are used.',
      }),
    ),
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 599,
        description: 'Response status. Use 200 for a file, 4xx for no file, and 5xx for a server error. Default: 200.',
      }),
    ),
    served_from: Type.Optional(
      Type.String({
        format: 'timestamp',
        maxLength: 50,
        description: 'Time at which the version took effect (ISO 8601). Defaults to the current time.',
      }),
    ),
  },
  { $id: 'NewRobotsVersion', additionalProperties: false },
);

export type RobotsVersion = Static<typeof RobotsVersionSchema>;
export type RobotsTxtHost = Static<typeof RobotsTxtHostSchema>;
export type RobotsVersionPage = Static<typeof RobotsVersionPageSchema>;
export type RobotsVersionWithText = Static<typeof RobotsVersionWithTextSchema>;
export type NewRobotsVersion = Static<typeof NewRobotsVersionSchema>;
